#include "paths/nccl_log_reader.hpp"

#include "paths/nccl_channel_line.hpp"
#include "paths/nccl_failure_line.hpp"
#include "paths/nccl_log_header.hpp"

#include <type_traits>
#include <utility>

namespace viaduct {

namespace {

/// NCCL writes 1024 bytes at most; prefixes of launchers and a line that ran into it come on top.
constexpr std::size_t max_line_bytes = std::size_t{64} * 1024;

constexpr std::size_t max_torn_places = 5;

/// A process, in a form that can be a key.
std::string process_of(const LogWriter& writer) {
  return writer.host + ":" + std::to_string(writer.pid);
}

/// Later lines about the same communicator know other fields of it.
void merge(LogCommunicator& into, const LogCommunicator& from) {
  const auto keep = [](auto& known, const auto& said) {
    if (said) {
      known = said;
    }
  };
  keep(into.nodes, from.nodes);
  keep(into.local_ranks, from.local_ranks);
  keep(into.local_rank, from.local_rank);
  keep(into.mnnvl, from.mnnvl);
  keep(into.cuda_device, from.cuda_device);
  keep(into.nvml_device, from.nvml_device);
  into.bus_id = from.bus_id.empty() ? into.bus_id : from.bus_id;
  into.comm_id = from.comm_id.empty() ? into.comm_id : from.comm_id;
  into.complete = into.complete || from.complete;
}

/// Whether every rank that the fact names could be renamed.
template <typename Rename>
bool renamed(LogFact& fact, const Rename& rename) {
  if (auto* comm = std::get_if<LogCommunicator>(&fact)) {
    return rename(comm->rank);
  }
  if (auto* nvls = std::get_if<LogNvls>(&fact)) {
    return rename(nvls->head_rank);
  }
  auto* timing = std::get_if<LogInitTiming>(&fact);
  return timing == nullptr || rename(timing->rank);
}

}  // namespace

void NcclLogReader::begin(std::string log_name, std::vector<int> launch_ranks) {
  end();
  log_name_ = std::move(log_name);
  launch_ranks_ = std::move(launch_ranks);
  line_ = 0;
}

void NcclLogReader::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t at = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, at);
    if (carry_.size() + piece.size() > max_line_bytes) {
      skips_line_ = true;
      carry_.clear();
    } else if (!skips_line_) {
      carry_ += piece;
    }
    if (at == std::string_view::npos) {
      return;
    }
    take_line(skips_line_ ? std::string_view() : std::string_view(carry_), true);
    carry_.clear();
    skips_line_ = false;
    bytes.remove_prefix(at + 1);
  }
}

void NcclLogReader::end() {
  if (!carry_.empty() || skips_line_) {
    take_line(carry_, false);
  }
  carry_.clear();
  skips_line_ = false;
}

NcclLog NcclLogReader::take() {
  end();
  said_.clear();
  failure_of_.clear();
  communicator_of_.clear();
  return std::exchange(log_, {});
}

void NcclLogReader::take_line(std::string_view raw, bool has_end) {
  ++line_;
  ++log_.lines.read;
  const std::string text = clean_line(raw);
  const LogLine line = split_line(text);
  if (!line.has_header) {
    take_headless(text);
    return;
  }
  // What ran into the begin of a header is not whole either.
  const bool is_behind_torn =
      !std::holds_alternative<NoChannelLine>(read_headless_line(line.prefix));
  if (line.has_two_headers || is_behind_torn) {
    take_torn();
    return;
  }
  if (line.level == LogLevel::warn) {
    take_warning({line.message, line.source, warning_cause(line.message), line.writer});
    return;
  }
  if (line.level == LogLevel::other) {
    ++log_.lines.ignored;
    return;
  }
  auto reading = read_channel_line(line.message);
  if (auto* edge = std::get_if<LogEdge>(&reading)) {
    take_edge(std::move(*edge), line.writer, has_end);
  } else if (std::holds_alternative<TornChannelLine>(reading)) {
    take_torn();
  } else {
    take_message(line.message, line.writer);
  }
}

bool NcclLogReader::rename(int& rank) const {
  if (launch_ranks_.empty() || rank < 0) {
    return true;
  }
  const auto at = static_cast<std::size_t>(rank);
  if (at >= launch_ranks_.size()) {
    return false;
  }
  rank = launch_ranks_[at];
  return true;
}

bool NcclLogReader::rename(LogEdge& edge) const {
  return rename(edge.from) && rename(edge.to) && rename(edge.proxy_rank);
}

void NcclLogReader::take_edge(LogEdge edge, const LogWriter& writer, bool has_end) {
  if (!rename(edge)) {
    take_torn();
    return;
  }
  ++log_.lines.edges;
  if (!has_end && edge.gdrdma == GpuDirect::no) {
    edge.gdrdma = GpuDirect::unknown;
  }
  edge.writer = writer;
  log_.edges.push_back(std::move(edge));
}

void NcclLogReader::take_torn() {
  ++log_.lines.torn;
  if (log_.torn_places.size() < max_torn_places) {
    log_.torn_places.push_back({log_name_, line_});
  }
}

void NcclLogReader::take_headless(std::string_view line) {
  const auto reading = read_headless_line(line);
  if (std::holds_alternative<TornChannelLine>(reading)) {
    take_torn();
  } else if (std::holds_alternative<LogEdge>(reading)) {
    ++log_.lines.headless;
  } else if (const auto version = read_version(line)) {
    ++log_.lines.facts;
    ++log_.versions[version->name];
  } else if (auto failure = read_told_failure(line)) {
    ++log_.lines.facts;
    take_failure(std::move(*failure));
  } else {
    ++log_.lines.ignored;
  }
}

void NcclLogReader::take_message(std::string_view message, const LogWriter& writer) {
  LogFact fact = read_fact(message);
  if (!renamed(fact, [this](int& rank) { return rename(rank); })) {
    take_torn();
    return;
  }
  ++(std::holds_alternative<std::monostate>(fact) ? log_.lines.ignored : log_.lines.facts);
  const auto keep = [&writer](auto& list, auto value) {
    value.writer = writer;
    list.push_back(std::move(value));
  };
  std::visit(
      [this, &keep, &writer](auto& value) {
        using Fact = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Fact, LogCommunicator>) {
          value.writer = writer;
          take_communicator(std::move(value));
        } else if constexpr (std::is_same_v<Fact, LogP2pType>) {
          keep(log_.p2p_types, value);
        } else if constexpr (std::is_same_v<Fact, LogChannelCounts>) {
          keep(log_.channel_counts, value);
        } else if constexpr (std::is_same_v<Fact, LogNvls>) {
          keep(log_.nvls, value);
        } else if constexpr (std::is_same_v<Fact, LogVariable>) {
          keep(log_.variables, value);
        } else if constexpr (std::is_same_v<Fact, LogInitTiming>) {
          keep(log_.init_timings, value);
        } else if constexpr (std::is_same_v<Fact, LogTuning>) {
          ++log_.tuning[value];
        } else if constexpr (std::is_same_v<Fact, LogWarning>) {
          --log_.lines.facts;  // take_warning counts it
          value.writer = writer;
          take_warning(std::move(value));
        } else if constexpr (std::is_same_v<Fact, LogFailure>) {
          value.writer = writer;
          take_failure(std::move(value));
        } else if constexpr (std::is_same_v<Fact, NetworkName>) {
          ++log_.networks[value.name];
        } else if constexpr (std::is_same_v<Fact, ConnectedWhat>) {
          ++log_.connected[value.what];
        } else if constexpr (std::is_same_v<Fact, VersionName>) {
          ++log_.versions[value.name];
        }
      },
      fact);
}

void NcclLogReader::take_warning(LogWarning warning) {
  ++log_.lines.facts;
  if (said_.insert(process_of(warning.writer) + " " + warning.text).second) {
    log_.warnings.push_back(std::move(warning));
  }
}

void NcclLogReader::take_failure(LogFailure failure) {
  const std::string key =
      process_of(failure.writer) + " " + std::to_string(failure.code) + " " + failure.text;
  const auto [found, is_new] = failure_of_.emplace(key, log_.failures.size());
  if (is_new) {
    log_.failures.push_back(std::move(failure));
    return;
  }
  LogFailure& known = log_.failures[found->second];
  known.last = failure.last;
  ++known.lines;
}

void NcclLogReader::take_communicator(LogCommunicator comm) {
  const std::string key = process_of(comm.writer) + " " + comm.comm + " " +
                          std::to_string(comm.rank) + " " + std::to_string(comm.ranks);
  const auto [found, is_new] = communicator_of_.emplace(key, log_.communicators.size());
  if (is_new) {
    log_.communicators.push_back(std::move(comm));
  } else {
    merge(log_.communicators[found->second], comm);
  }
}

NcclLog read_nccl_log(std::string_view text, const std::string& log_name) {
  NcclLogReader reader;
  reader.begin(log_name);
  reader.append(text);
  return reader.take();
}

}  // namespace viaduct
