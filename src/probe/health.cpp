#include "probe/health.hpp"

#include "probe/nvml_fields.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace viaduct {

namespace {

struct Word {
  const char* word;
  unsigned field;
};

constexpr std::array throttle_fields{
    Word{"power_cap", fields::held_by_power_cap},
    Word{"thermal", fields::held_by_thermal},
    Word{"sync_boost", fields::held_by_sync_boost},
    Word{"board_limit", fields::held_by_board_limit},
    Word{"thermal_software", fields::held_by_thermal_software},
    Word{"thermal_hardware", fields::held_by_thermal_hardware},
    Word{"power_brake", fields::held_by_power_brake},
};

constexpr std::array error_fields{
    Word{"ecc_corrected", fields::ecc_corrected},
    Word{"ecc_uncorrected", fields::ecc_uncorrected},
    Word{"rows_remapped_corrected", fields::rows_remapped_corrected},
    Word{"rows_remapped_uncorrected", fields::rows_remapped_uncorrected},
    Word{"row_remap_pending", fields::row_remap_pending},
    Word{"row_remap_failed", fields::row_remap_failed},
    Word{"pcie_replay", fields::pcie_replay},
    Word{"pcie_fatal", fields::pcie_fatal},
};

/// Up to NVLink 4: what the driver adds up over the links itself.
constexpr std::array link_total_fields{
    Word{"nvlink_crc_flit", fields::nvlink_crc_flit},
    Word{"nvlink_crc_data", fields::nvlink_crc_data},
    Word{"nvlink_replay", fields::nvlink_replay_total},
    Word{"nvlink_recovery", fields::nvlink_recovery_total},
};

constexpr std::array link_fields{
    Word{"nvlink_crc", fields::nvlink_crc},
    Word{"nvlink_replay", fields::nvlink_replay},
    Word{"nvlink_recovery", fields::nvlink_recovery},
};

constexpr std::array link_fields_5{
    Word{"nvlink_receive_errors", fields::nvlink5_receive_errors},
    Word{"nvlink_integrity", fields::nvlink5_integrity},
    Word{"nvlink_recovery", fields::nvlink5_recovery},
    Word{"nvlink_recovery_failed", fields::nvlink5_recovery_failed},
};

struct ReasonBit {
  unsigned long long bit;
  const char* word;
};

/// Idle, clocks that someone set and the display's clock are no throttling.
constexpr std::array reason_bits{
    ReasonBit{0x04, "power_cap"},
    ReasonBit{0x08, "hardware_slowdown"},
    ReasonBit{0x10, "sync_boost"},
    ReasonBit{0x20, "thermal_software"},
    ReasonBit{0x40, "thermal_hardware"},
    ReasonBit{0x80, "power_brake"},
};

constexpr double milli = 1e-3;

/// One reading under way: each call that fails leaves its value empty and a line that says why.
class Reading {
 public:
  explicit Reading(const NvmlDevice& gpu) : gpu_(gpu) {}

  HealthReading& values() { return values_; }

  void is_missing(std::string_view what, const std::string& why_not) {
    values_.not_available.push_back(fmt::format("{}: {}", what, why_not));
  }

  /// `call` of a function that the library may lack.
  template <typename Raw, typename Function, typename... Arguments>
  std::optional<Raw> get(const char* what, Function* function, Arguments... arguments) {
    if (function == nullptr) {
      is_missing(what, "this NVML has no call for it");
      return std::nullopt;
    }
    Raw raw{};
    const int result = function(gpu_.handle(), arguments..., &raw);
    if (result != nvml::success) {
      is_missing(what, gpu_.library().words_for(result));
      return std::nullopt;
    }
    return raw;
  }

  [[nodiscard]] const nvml::Library& library() const { return gpu_.library(); }

 private:
  const NvmlDevice& gpu_;
  HealthReading values_;
};

std::optional<int> as_int(std::optional<unsigned> value) {
  return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

std::optional<double> as_watts(std::optional<unsigned> milliwatts) {
  return milliwatts ? std::optional(*milliwatts * milli) : std::nullopt;
}

void read_clocks_and_power(Reading& reading) {
  using Number = unsigned int;
  const nvml::Library& nvml = reading.library();
  HealthReading& values = reading.values();
  values.sm_mhz = reading.get<Number>("sm_mhz", nvml.clock_mhz, nvml::sm_clock);
  values.sm_max_mhz = reading.get<Number>("sm_max_mhz", nvml.max_clock_mhz, nvml::sm_clock);
  values.memory_mhz = reading.get<Number>("memory_mhz", nvml.clock_mhz, nvml::memory_clock);
  values.memory_max_mhz =
      reading.get<Number>("memory_max_mhz", nvml.max_clock_mhz, nvml::memory_clock);
  values.temperature_c =
      as_int(reading.get<Number>("temperature_c", nvml.temperature, nvml::gpu_sensor));
  values.power_w = as_watts(reading.get<Number>("power_w", nvml.power_mw));
  values.power_limit_w = as_watts(reading.get<Number>("power_limit_w", nvml.power_limit_mw));
}

void read_pcie_link(Reading& reading) {
  using Number = unsigned int;
  const nvml::Library& nvml = reading.library();
  HealthReading& values = reading.values();
  values.pcie_generation = as_int(reading.get<Number>("pcie_generation", nvml.pcie_generation));
  values.pcie_generation_max =
      as_int(reading.get<Number>("pcie_generation_max", nvml.pcie_generation_max));
  values.pcie_width = as_int(reading.get<Number>("pcie_width", nvml.pcie_width));
  values.pcie_width_max = as_int(reading.get<Number>("pcie_width_max", nvml.pcie_width_max));
}

void read_reasons(Reading& reading) {
  const auto bits = reading.get<unsigned long long>("reasons_now", reading.library().clock_reasons);
  if (!bits) {
    return;
  }
  auto& reasons = reading.values().reasons_now.emplace();
  for (const ReasonBit& reason : reason_bits) {
    if ((*bits & reason.bit) != 0) {
      reasons.insert(reason.word);
    }
  }
}

/// All field values, asked for in one call and taken in the same order.
struct Questions {
  std::vector<NvmlField> fields{};

  template <typename Words>
  void add(const Words& words, unsigned scope = 0) {
    for (const Word& word : words) {
      fields.push_back(NvmlField{word.field, scope});
    }
  }

  [[nodiscard]] const NvmlField& answer(unsigned id, unsigned scope = 0) const {
    for (const NvmlField& field : fields) {
      if (field.id == id && field.scope == scope) {
        return field;
      }
    }
    static const NvmlField not_asked{0, 0, std::nullopt, "not asked"};
    return not_asked;
  }
};

template <typename Words>
void take(const Questions& questions,
          const Words& words,
          std::map<std::string, std::uint64_t>& into) {
  for (const Word& word : words) {
    if (const auto value = questions.answer(word.field).value) {
      into[word.word] = *value;
    }
  }
}

/// Names the words that no field gave.
template <typename Words>
void name_missing(Reading& reading,
                  const Questions& questions,
                  const Words& words,
                  const std::map<std::string, std::uint64_t>& taken,
                  unsigned scope = 0) {
  for (const Word& word : words) {
    if (!taken.contains(word.word)) {
      reading.is_missing(word.word, questions.answer(word.field, scope).why_not);
    }
  }
}

/// Drivers before the fields have calls of their own for the same counters.
void fill_from_older_calls(const NvmlDevice& gpu, Questions& questions) {
  constexpr int volatile_counts = 0;
  const auto& nvml = gpu.library();
  Reading unheard(gpu);  // the field's own reason is the one to show
  for (NvmlField& field : questions.fields) {
    if (field.value) {
      continue;
    }
    if (field.id == fields::ecc_corrected || field.id == fields::ecc_uncorrected) {
      const int type = static_cast<int>(field.id - fields::ecc_corrected);
      field.value = unheard.get<unsigned long long>("", nvml.ecc_errors, type, volatile_counts);
    }
    if (field.id >= fields::held_by_power_cap && field.id <= fields::held_by_board_limit) {
      const int policy = static_cast<int>(field.id - fields::held_by_power_cap);
      const auto time = unheard.get<nvml::ViolationTime>("", nvml.violation, policy);
      field.value = time ? std::optional<std::uint64_t>(time->violation_ns) : std::nullopt;
    }
  }
}

/// One word over all links. A sum over fewer links than before would look like a counter that was
/// reset: all links or none.
void take_word_of_links(const Questions& questions,
                        const Word& word,
                        const std::vector<unsigned>& links,
                        HealthReading& values) {
  std::map<int, std::uint64_t> counts;
  std::uint64_t sum = 0;
  for (const unsigned link : links) {
    const auto value = questions.answer(word.field, link).value;
    if (!value) {
      return;
    }
    counts[static_cast<int>(link)] = *value;
    sum += *value;
  }
  values.errors[word.word] = sum;
  values.link_errors[word.word] = counts;
}

template <typename Words>
void take_links(Reading& reading,
                const Questions& questions,
                const Words& words,
                const std::vector<unsigned>& links) {
  for (const Word& word : words) {
    take_word_of_links(questions, word, links, reading.values());
  }
  name_missing(reading, questions, words, reading.values().errors, links.front());
}

/// Which fields the links of this GPU have.
enum class LinkFields { none, up_to_4, from_5 };

LinkFields link_fields_of(const NvmlDevice& gpu, const std::vector<unsigned>& links) {
  if (links.empty()) {
    return LinkFields::none;
  }
  const auto version = gpu.ask(fields::nvlink_version, links.front()).value;
  return version.value_or(0) >= fields::version_5 ? LinkFields::from_5 : LinkFields::up_to_4;
}

Questions make_questions(LinkFields kind, const std::vector<unsigned>& links) {
  Questions questions;
  questions.add(throttle_fields);
  questions.add(error_fields);
  questions.fields.push_back(NvmlField{fields::memory_temperature});
  if (kind == LinkFields::up_to_4) {
    questions.add(link_total_fields);
  }
  for (const unsigned link : links) {
    if (kind == LinkFields::from_5) {
      questions.add(link_fields_5, link);
    } else {
      questions.add(link_fields, link);
    }
  }
  return questions;
}

void take_link_errors(Reading& reading,
                      const Questions& questions,
                      LinkFields kind,
                      const std::vector<unsigned>& links) {
  if (kind == LinkFields::none) {
    reading.is_missing("nvlink errors", "no NVLink is up");
  } else if (kind == LinkFields::from_5) {
    take_links(reading, questions, link_fields_5, links);
  } else {
    take(questions, link_total_fields, reading.values().errors);
    take_links(reading, questions, link_fields, links);
  }
}

void read_fields(Reading& reading, const NvmlDevice& gpu, const std::vector<unsigned>& links) {
  const LinkFields kind = link_fields_of(gpu, links);
  Questions questions = make_questions(kind, links);
  gpu.ask(questions.fields);
  fill_from_older_calls(gpu, questions);
  HealthReading& values = reading.values();
  take(questions, throttle_fields, values.throttled_ns);
  name_missing(reading, questions, throttle_fields, values.throttled_ns);
  take(questions, error_fields, values.errors);
  name_missing(reading, questions, error_fields, values.errors);
  const auto celsius = questions.answer(fields::memory_temperature).value;
  values.memory_temperature_c = celsius ? std::optional(static_cast<int>(*celsius)) : std::nullopt;
  take_link_errors(reading, questions, kind, links);
}

}  // namespace

HealthReader::HealthReader(std::shared_ptr<const NvmlDevice> gpu) : gpu_(std::move(gpu)) {
  if (gpu_ && gpu_->is_open()) {
    links_ = gpu_->active_links();
    listen_for_xids();
  }
}

HealthReader::~HealthReader() {
  if (events_ != nullptr && gpu_->library().event_set_free != nullptr) {
    gpu_->library().event_set_free(events_);
  }
}

void HealthReader::listen_for_xids() {
  const nvml::Library& nvml = gpu_->library();
  if (nvml.event_set_create == nullptr || nvml.event_set_wait == nullptr ||
      nvml.register_events == nullptr) {
    why_no_events_ = "this NVML has no events";
    return;
  }
  int result = nvml.event_set_create(&events_);
  if (result != nvml::success) {
    events_ = nullptr;
  } else {
    result = nvml.register_events(gpu_->handle(), nvml::xid_event, events_);
  }
  if (result != nvml::success) {
    why_no_events_ = nvml.words_for(result);
  }
}

void HealthReader::take_xids(HealthReading& reading) {
  if (!why_no_events_.empty()) {
    reading.not_available.push_back("xids: " + why_no_events_);
    return;
  }
  // More than that in one go is a storm; the rest comes with the next reading.
  constexpr int most_events = 64;
  nvml::EventData event{};
  for (int i = 0;
       i < most_events && gpu_->library().event_set_wait(events_, &event, 0) == nvml::success;
       ++i) {
    if ((event.type & nvml::xid_event) != 0) {
      xids_.push_back(event.data);
    }
  }
  reading.xids = xids_;
}

HealthReading HealthReader::read() {
  if (!gpu_ || !gpu_->is_open()) {
    HealthReading nothing;
    nothing.at = std::chrono::steady_clock::now();
    nothing.not_available.push_back("health: " + (gpu_ ? gpu_->why_not() : "no GPU"));
    return nothing;
  }
  Reading reading(*gpu_);
  read_clocks_and_power(reading);
  read_pcie_link(reading);
  read_reasons(reading);
  read_fields(reading, *gpu_, links_);
  take_xids(reading.values());
  reading.values().at = std::chrono::steady_clock::now();
  return reading.values();
}

}  // namespace viaduct
