#include "probe/counters.hpp"

#include "probe/nvml_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace viaduct {

namespace {

namespace fs = std::filesystem;

/// Where a 32-bit counter of an InfiniBand port stops: those do not wrap.
constexpr std::uint64_t saturated = 0xFFFFFFFF;

Counter file_counter(const std::string& file, std::uint64_t unit_bytes) {
  Counter counter;
  counter.unit_bytes = unit_bytes;
  counter.source = file;
  std::ifstream stream(file);
  std::uint64_t value = 0;
  if (!stream) {
    counter.why_not = file + " cannot be opened";
  } else if (!(stream >> value)) {
    counter.why_not = file + " holds no number";
  } else {
    counter.raw = value;
  }
  return counter;
}

Counter port_counter(const std::string& file) {
  constexpr std::uint64_t word_bytes = 4;
  Counter counter = file_counter(file, word_bytes);
  if (counter.raw == saturated) {
    counter.raw.reset();
    counter.why_not = file + " stands at the end of its 32 bits";
  }
  return counter;
}

/// Names in a folder, sorted; a folder that is not there has none.
std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    names.push_back(at->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void add_ports(std::vector<NicCounters>& nics, const std::string& folder) {
  for (const std::string& device : names_in(folder)) {
    const std::string ports = fmt::format("{}/{}/ports", folder, device);
    for (const std::string& port : names_in(ports)) {
      const std::string counters = fmt::format("{}/{}/counters/", ports, port);
      nics.push_back(NicCounters{.name = fmt::format("{}/{}", device, port),
                                 .is_rdma = true,
                                 .sent = port_counter(counters + "port_xmit_data"),
                                 .received = port_counter(counters + "port_rcv_data")});
    }
  }
}

void add_interfaces(std::vector<NicCounters>& nics, const std::string& folder) {
  for (const std::string& interface : names_in(folder)) {
    const std::string place = fmt::format("{}/{}/", folder, interface);
    std::error_code error;
    if (!fs::exists(place + "device", error)) {
      continue;  // loopback, bridge, tunnel: its bytes cross no wire, or are counted by another
    }
    nics.push_back(NicCounters{.name = interface,
                               .is_rdma = false,
                               .sent = file_counter(place + "statistics/tx_bytes", 1),
                               .received = file_counter(place + "statistics/rx_bytes", 1)});
  }
}

/// One field over some scopes, added up; one that is missing leaves no sum.
Counter sum_of(const std::vector<NvmlField>& fields, unsigned id) {
  Counter sum;
  std::uint64_t total = 0;
  for (const NvmlField& field : fields) {
    if (field.id != id) {
      continue;
    }
    if (!field.value) {
      sum.why_not = field.why_not;
      return sum;
    }
    total += *field.value;
  }
  sum.raw = total;
  return sum;
}

Counter pcie_counter(const NvmlField& field) {
  constexpr unsigned short_bits = 32;
  Counter counter;
  counter.raw = field.value;
  counter.why_not = field.why_not;
  counter.source = fmt::format("field {}", field.id);
  counter.bits = field.value.value_or(0) >> short_bits == 0 ? short_bits : 64;
  return counter;
}

}  // namespace

CounterReader::CounterReader(std::shared_ptr<const NvmlDevice> gpu, std::string sys)
    : gpu_(std::move(gpu)),
      sys_(std::move(sys)) {
  if (gpu_) {
    choose_nvlink_source();
  }
}

bool CounterReader::answers(const NvLinkSource& source) const {
  std::vector<NvmlField> fields;
  for (const unsigned scope : source.scopes) {
    fields.push_back(NvmlField{source.tx_field, scope});
    fields.push_back(NvmlField{source.rx_field, scope});
  }
  gpu_->ask(fields);
  return !fields.empty() && std::all_of(fields.begin(), fields.end(), [](const NvmlField& field) {
    return field.value.has_value();
  });
}

void CounterReader::choose_nvlink_source() {
  constexpr std::uint64_t kib = 1024;
  const std::vector<unsigned> links = gpu_->active_links();
  const NvLinkSource summed{
      fields::nvlink_data_tx, fields::nvlink_data_rx, {NvmlField::all_links}, kib, "all links"};
  const NvLinkSource single{
      fields::nvlink_data_tx, fields::nvlink_data_rx, links, kib, "each link"};
  const NvLinkSource fifth{
      fields::nvlink5_bytes_tx, fields::nvlink5_bytes_rx, links, 1, "each link"};
  nvlink_ = summed;  // where nothing answers, its reasons are the ones to show
  // From NVLink 5 on the older fields may answer with a value that stands still.
  const auto version = links.empty() ? std::optional<std::uint64_t>()
                                     : gpu_->ask(fields::nvlink_version, links[0]).value;
  const std::vector<NvLinkSource> order = version.value_or(0) >= fields::version_5
                                              ? std::vector{fifth, summed, single}
                                              : std::vector{summed, single, fifth};
  const auto found = std::find_if(
      order.begin(), order.end(), [this](const auto& source) { return answers(source); });
  if (found != order.end()) {
    nvlink_ = *found;
  }
}

void CounterReader::ask_gpu(CounterReading& reading) const {
  std::vector<NvmlField> asked{NvmlField{fields::pcie_bytes_tx}, NvmlField{fields::pcie_bytes_rx}};
  for (const unsigned scope : nvlink_.scopes) {
    asked.push_back(NvmlField{nvlink_.tx_field, scope});
    asked.push_back(NvmlField{nvlink_.rx_field, scope});
  }
  gpu_->ask(asked);
  reading.at = std::chrono::steady_clock::now();
  reading.pcie_tx = pcie_counter(asked[0]);
  reading.pcie_rx = pcie_counter(asked[1]);
  const auto nvlink = [&](unsigned id) {
    Counter counter = sum_of(asked, id);
    counter.unit_bytes = nvlink_.unit_bytes;
    counter.source = fmt::format("field {} of {}", id, nvlink_.name);
    return counter;
  };
  reading.nvlink_tx = nvlink(nvlink_.tx_field);
  reading.nvlink_rx = nvlink(nvlink_.rx_field);
}

CounterReading CounterReader::read_gpu() const {
  CounterReading reading;
  reading.at = std::chrono::steady_clock::now();
  if (gpu_) {
    ask_gpu(reading);
  } else {
    for (Counter* counter :
         {&reading.nvlink_tx, &reading.nvlink_rx, &reading.pcie_tx, &reading.pcie_rx}) {
      counter->why_not = "no GPU";
    }
  }
  reading.nics_why_not = "not asked for";
  return reading;
}

CounterReading CounterReader::read() const {
  CounterReading reading = read_gpu();
  reading.nics = read_nics(sys_);
  reading.nics_why_not.clear();
  if (reading.nics.empty()) {
    reading.nics_why_not = fmt::format("{}/class shows no NIC", sys_);
  }
  return reading;
}

std::vector<NicCounters> read_nics(const std::string& sys) {
  std::vector<NicCounters> nics;
  add_ports(nics, sys + "/class/infiniband");
  add_interfaces(nics, sys + "/class/net");
  return nics;
}

}  // namespace viaduct
