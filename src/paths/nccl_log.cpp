#include "paths/nccl_log.hpp"

#include "core/name_table.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace viaduct {

namespace {

constexpr std::size_t most_torn_places = 5;

/// Host and pid.
using LogProcess = std::pair<std::string, std::int64_t>;

LogProcess process_of_writer(const LogWriter& writer) {
  return {writer.host, writer.pid};
}

std::set<LogProcess> processes_of(const NcclLog& log, const std::set<int>& ranks) {
  std::set<LogProcess> processes;
  for (const LogCommunicator& comm : log.communicators) {
    if (ranks.contains(comm.rank)) {
      processes.insert(process_of_writer(comm.writer));
    }
  }
  for (const LogEdge& edge : log.edges) {
    if (ranks.contains(edge.writer_rank())) {
      processes.insert(process_of_writer(edge.writer));
    }
  }
  return processes;
}

template <typename Line>
void add_lines(std::vector<Line>& to, const std::vector<Line>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

template <typename Line>
void keep_lines(std::vector<Line>& lines, const std::set<LogProcess>& processes) {
  const auto is_other = [&processes](const Line& line) {
    return !processes.contains(process_of_writer(line.writer));
  };
  lines.erase(std::remove_if(lines.begin(), lines.end(), is_other), lines.end());
}

template <typename Key>
void add_counts(std::map<Key, std::uint64_t>& to, const std::map<Key, std::uint64_t>& from) {
  for (const auto& [key, lines] : from) {
    to[key] += lines;
  }
}

}  // namespace

const char* name(LogTransport transport) {
  static constexpr std::array table{Named<LogTransport>{LogTransport::p2p, "P2P"},
                                    Named<LogTransport>{LogTransport::shm, "SHM"},
                                    Named<LogTransport>{LogTransport::net, "NET"},
                                    Named<LogTransport>{LogTransport::collnet, "COLLNET"},
                                    Named<LogTransport>{LogTransport::nvls, "NVLS"}};
  return name_in(table, transport);
}

void append(NcclLog& log, const NcclLog& more) {
  add_lines(log.edges, more.edges);
  add_lines(log.communicators, more.communicators);
  add_lines(log.p2p_types, more.p2p_types);
  add_lines(log.channel_counts, more.channel_counts);
  add_lines(log.nvls, more.nvls);
  add_lines(log.variables, more.variables);
  add_lines(log.init_timings, more.init_timings);
  add_lines(log.warnings, more.warnings);
  add_lines(log.failures, more.failures);
  const std::size_t room = most_torn_places - std::min(most_torn_places, log.torn_places.size());
  const auto places = std::min(room, more.torn_places.size());
  log.torn_places.insert(log.torn_places.end(),
                         more.torn_places.begin(),
                         more.torn_places.begin() + static_cast<std::ptrdiff_t>(places));
  add_counts(log.tuning, more.tuning);
  add_counts(log.versions, more.versions);
  add_counts(log.networks, more.networks);
  add_counts(log.connected, more.connected);
  log.lines.read += more.lines.read;
  log.lines.edges += more.lines.edges;
  log.lines.facts += more.lines.facts;
  log.lines.ignored += more.lines.ignored;
  log.lines.torn += more.lines.torn;
  log.lines.headless += more.lines.headless;
}

NcclLog of_ranks(const NcclLog& log, const std::set<int>& ranks) {
  const std::set<LogProcess> processes = processes_of(log, ranks);
  const auto is_inside = [&ranks](int rank) { return rank < 0 || ranks.contains(rank); };
  NcclLog part;
  std::copy_if(
      log.edges.begin(),
      log.edges.end(),
      std::back_inserter(part.edges),
      [&is_inside](const LogEdge& edge) { return is_inside(edge.from) && is_inside(edge.to); });
  part.communicators = log.communicators;
  part.p2p_types = log.p2p_types;
  part.channel_counts = log.channel_counts;
  part.nvls = log.nvls;
  part.variables = log.variables;
  part.init_timings = log.init_timings;
  part.warnings = log.warnings;
  part.failures = log.failures;
  keep_lines(part.communicators, processes);
  keep_lines(part.p2p_types, processes);
  keep_lines(part.channel_counts, processes);
  keep_lines(part.nvls, processes);
  keep_lines(part.variables, processes);
  keep_lines(part.init_timings, processes);
  keep_lines(part.warnings, processes);
  keep_lines(part.failures, processes);
  part.tuning = log.tuning;
  part.versions = log.versions;
  part.networks = log.networks;
  part.connected = log.connected;
  part.lines = log.lines;
  part.torn_places = log.torn_places;
  return part;
}

}  // namespace viaduct
