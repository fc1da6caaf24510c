#include "app/evidence_views.hpp"
#include "app/terminal.hpp"
#include "paths/pair_evidence.hpp"
#include "paths/several_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace viaduct {

namespace {

std::string rank_text(int rank, const std::string& device, const char* none) {
  if (rank < 0) {
    return none;
  }
  return device.empty() ? std::to_string(rank) : fmt::format("{}[{}]", rank, device);
}

const char* word(GpuDirect value) {
  switch (value) {
    case GpuDirect::yes:
      return "yes";
    case GpuDirect::no:
      return "no";
    case GpuDirect::unknown:
      break;
  }
  return "unknown";
}

/// "GDRDMA yes", or end by end where they differ or one has no line.
std::string gdrdma_text(const PathUse& use) {
  if (use.transport == LogTransport::collnet) {
    return fmt::format(", GDRDMA {}", word(gdrdma_of(use)));
  }
  if (use.send_gdrdma == use.receive_gdrdma) {
    return fmt::format(", GDRDMA {}", word(use.send_gdrdma));
  }
  return fmt::format(
      ", GDRDMA sender {}, receiver {}", word(use.send_gdrdma), word(use.receive_gdrdma));
}

std::string use_text(const PathUse& use) {
  std::string text = fmt::format("{}/{}, {} {}",
                                 name(use.transport),
                                 use.detail,
                                 use.channels.size(),
                                 use.channels.size() == 1 ? "channel" : "channels");
  if (use.transport == LogTransport::net || use.transport == LogTransport::collnet) {
    text += gdrdma_text(use);
  }
  text += use.pci ? " over PCIe" : "";
  text += use.shared ? ", shared buffers" : "";
  if (!use.proxy_ranks.empty()) {
    text += fmt::format(", by the NIC of rank {}", fmt::join(use.proxy_ranks, ", "));
  }
  return text;
}

/// Without P2P and SHM NCCL has only NET between ranks of one host, and counts each as a node of
/// its own.
bool leaves_only_net(const NcclLog& log) {
  const auto has = [&log](std::string_view name, std::string_view value) {
    return std::any_of(
        log.variables.begin(), log.variables.end(), [&](const LogVariable& variable) {
          return variable.name == name && variable.value == value;
        });
  };
  return (has("NCCL_P2P_DISABLE", "1") || has("NCCL_P2P_LEVEL", "LOC")) &&
         has("NCCL_SHM_DISABLE", "1");
}

std::string inside_text(const PairEvidence& pair, bool only_net) {
  if (pair.is_net_inside_host()) {
    return " (NET inside one host)";
  }
  const std::string& host = pair.from_host.empty() ? pair.to_host : pair.from_host;
  if (!only_net || !pair.may_be_net_inside_host() || host.empty()) {
    return "";
  }
  return fmt::format(
      " (NET inside one host if rank {} is on {} too, which this log does not tell: "
      "P2P and SHM are switched off)",
      pair.from_host.empty() ? pair.from : pair.to,
      host);
}

std::string pair_text(const PairEvidence& pair, bool only_net) {
  std::vector<std::string> uses;
  for (const PathUse& use : pair.uses) {
    uses.push_back(use_text(use));
  }
  std::string text = fmt::format("  {} -> {}  {}{}{}\n",
                                 rank_text(pair.from, pair.from_device, "switch"),
                                 rank_text(pair.to, pair.to_device, "switch"),
                                 pair.is_mixed() ? "mixed: " : "",
                                 fmt::join(uses, "; "),
                                 inside_text(pair, only_net));
  for (const std::string& conflict : pair.conflicts) {
    text += fmt::format("    conflict, or two communicators: {}\n", conflict);
  }
  return text;
}

std::string pairs_text(const std::vector<PairEvidence>& pairs, bool only_net) {
  std::string text = "pairs of ranks, from rank[GPU] to rank[GPU] (bus id, or index)\n";
  std::map<std::string, std::vector<int>> groups;
  for (const PairEvidence& pair : pairs) {
    if (pair.uses.front().transport != LogTransport::nvls) {
      text += pair_text(pair, only_net);
      continue;
    }
    for (const PathUse& use : pair.uses) {
      groups[use.detail].push_back(pair.from);
    }
  }
  for (const auto& [detail, ranks] : groups) {
    text += fmt::format("  NVLS set up ({}) by rank {}\n", detail, fmt::join(ranks, ", "));
  }
  return pairs.empty() ? text + "  none: the log has no channel line\n" : text;
}

/// Logs of two runs make every pair that changed look mixed.
std::string several_text(const NcclLog& log) {
  const auto found = ranks_of_processes(log);
  if (found.empty()) {
    return "";
  }
  const RankOfProcesses& first = found.front();
  return fmt::format(
      "  several processes of {} wrote lines of rank {}[{}] (pid {}){}: if these are logs of "
      "several runs, their ways are mixed above; name those of one run\n",
      first.host,
      first.rank,
      first.device,
      fmt::join(first.pids, ", "),
      found.size() == 1 ? "" : fmt::format(", and so of {} more ranks", found.size() - 1));
}

/// What is counted.
struct Unit {
  const char* one;
  const char* many;
};

/// Texts with how many lines said them, in order.
using Said = std::map<std::string, std::uint64_t>;

std::string section(const std::string& title, const Said& said, const Unit& unit) {
  std::string text = said.empty() ? "" : title + "\n";
  for (const auto& [what, count] : said) {
    text += fmt::format("  {} ({} {})\n", what, count, count == 1 ? unit.one : unit.many);
  }
  return text;
}

std::string topology_text(const NcclLog& log) {
  Said said;
  for (const auto& [version, lines] : log.versions) {
    said["NCCL version " + version] += lines;
  }
  for (const auto& [network, lines] : log.networks) {
    said["Using network " + network] += lines;
  }
  for (const auto& [what, lines] : log.connected) {
    said["Connected all " + what] += lines;
  }
  for (const LogCommunicator& comm : log.communicators) {
    const std::string nodes = comm.nodes
                                  ? fmt::format("nRanks {} nNodes {}", comm.ranks, *comm.nodes)
                                  : fmt::format("nRanks {}", comm.ranks);
    ++said[nodes + (comm.mnnvl.value_or(false) ? " MNNVL 1" : "")];
  }
  for (const LogP2pType& type : log.p2p_types) {
    const std::string all_cuda =
        type.all_cuda ? fmt::format(" isAllCudaP2p {}", *type.all_cuda ? 1 : 0) : "";
    ++said[fmt::format("isAllDirectP2p {}{}", type.all_direct ? 1 : 0, all_cuda)];
  }
  for (const LogChannelCounts& counts : log.channel_counts) {
    const std::string nvls = counts.nvls < 0 ? "" : fmt::format(", {} nvls", counts.nvls);
    ++said[fmt::format("channels: {} coll{}, {} p2p", counts.collective, nvls, counts.p2p)];
  }
  return section("topology, as NCCL saw it", said, {"line", "lines"});
}

std::string environment_text(const NcclLog& log) {
  std::map<std::string, std::set<std::pair<std::string, std::int64_t>>> processes;
  for (const LogVariable& variable : log.variables) {
    processes[variable.name + "=" + variable.value].emplace(variable.writer.host,
                                                            variable.writer.pid);
  }
  Said said;
  for (const auto& [setting, who] : processes) {
    said[setting] = who.size();
  }
  return section("environment, as NCCL took it", said, {"process", "processes"});
}

std::string tuning_text(const NcclLog& log) {
  Said said;
  for (const auto& [tuning, lines] : log.tuning) {
    const std::string channels =
        tuning.channels < 0
            ? ""
            : fmt::format(
                  ", {} {}", tuning.channels, tuning.channels == 1 ? "channel" : "channels");
    // Bytes padded so that the map keeps the order of sizes.
    said[fmt::format("{:<14} {:>12} bytes: {} {}{}{}",
                     tuning.operation,
                     tuning.bytes,
                     tuning.algorithm,
                     tuning.protocol,
                     tuning.kernel,
                     channels)] += lines;
  }
  return section("algorithm of each size", said, {"launch", "launches"});
}

std::string init_text(const NcclLog& log) {
  if (log.init_timings.empty()) {
    return "";
  }
  const auto slowest = std::max_element(
      log.init_timings.begin(),
      log.init_timings.end(),
      [](const LogInitTiming& a, const LogInitTiming& b) { return a.total_s < b.total_s; });
  return fmt::format("initialization\n  slowest: rank {} of {}, {:.2f} s\n",
                     slowest->rank,
                     slowest->ranks,
                     slowest->total_s);
}

std::string warnings_text(const NcclLog& log) {
  std::string text = log.warnings.empty() ? "" : "warnings\n";
  for (const LogWarning& warning : log.warnings) {
    text += fmt::format("  {}:{}: {}{}\n",
                        warning.writer.host,
                        warning.writer.pid,
                        warning.text,
                        warning.cause.empty() ? "" : " [" + warning.cause + "]");
  }
  return text;
}

/// "internal error (result 3)".
std::string result_text(const LogFailure& failure) {
  const std::string code = fmt::format("result {}", failure.code);
  return failure.meaning.empty() ? code : fmt::format("{} ({})", failure.meaning, code);
}

std::string failures_text(const NcclLog& log) {
  std::string text = log.failures.empty() ? "" : "calls that failed\n";
  for (const LogFailure& failure : log.failures) {
    text += failure.text.empty() ? fmt::format("  {}:{}: {} at {}{}\n",
                                               failure.writer.host,
                                               failure.writer.pid,
                                               result_text(failure),
                                               failure.first,
                                               failure.last == failure.first
                                                   ? ""
                                                   : fmt::format(", handed up to {}", failure.last))
                                 : fmt::format("  the program says: {}\n", failure.text);
  }
  return text;
}

std::string lines_text(const NcclLog& log) {
  const LogCounts& lines = log.lines;
  std::string text =
      fmt::format("lines: {} read, {} channel lines taken, {} other facts, {} ignored, {} torn",
                  lines.read,
                  lines.edges,
                  lines.facts,
                  lines.ignored,
                  lines.torn);
  if (lines.headless > 0) {
    text += fmt::format(", {} without a whole header and so not taken", lines.headless);
  }
  std::vector<std::string> places;
  for (const LinePlace& place : log.torn_places) {
    places.push_back(fmt::format("{}:{}", place.file, place.line));
  }
  return text + (places.empty() ? "" : fmt::format(" (first: {})", fmt::join(places, ", "))) + "\n";
}

/// "P2P for 2 ordered pairs, SHM for 1".
std::string proven_text(const std::vector<PairEvidence>& pairs) {
  std::map<std::string, int> count;
  for (const PairEvidence& pair : pairs) {
    if (pair.uses.front().transport != LogTransport::nvls) {
      ++count[pair.is_mixed() ? "more than one transport" : name(pair.uses.front().transport)];
    }
  }
  std::vector<std::string> parts;
  for (const auto& [what, times] : count) {
    parts.push_back(
        fmt::format("{} for {} ordered {}", what, times, times == 1 ? "pair" : "pairs"));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// A channel line is written before its connection is up. WARN lines have a source.
const char* doubt_text(const NcclLog& log) {
  const bool has_warning =
      std::any_of(log.warnings.begin(), log.warnings.end(), [](const LogWarning& warning) {
        return !warning.source.empty() && warning.text.find("libibverbs") == std::string::npos;
      });
  if (has_warning) {
    return ", or, since there are warnings, that all of them came up";
  }
  return log.failures.empty() ? "" : ", or, since calls failed, that all of them came up";
}

std::string proof_text(const NcclLog& log, const std::vector<PairEvidence>& pairs) {
  const bool has_nvls = !log.nvls.empty();
  const std::string nvls =
      has_nvls && log.tuning.empty()
          ? "which sizes went over NVLS, which is set up too (TUNING lines would say it), "
          : "";
  const std::string proven = proven_text(pairs);
  const std::string weak = "nNodes, isAllDirectP2p and \"Using network\" alone prove nothing";
  if (proven.empty()) {
    return fmt::format(
        "This log proves no path: it has no {}channel line, which NCCL writes when ranks connect, "
        "with NCCL_DEBUG=INFO and, where NCCL_DEBUG_SUBSYS is set, INIT among its words; {}.\n",
        log.lines.torn > 0 ? "whole " : "",
        weak);
  }
  return fmt::format(
      "This log {} the transport of the connections above: {}; it does not prove {}which bytes "
      "went over which channel, or anything about a pair or an end without a line{}{}; {}.\n",
      log.failures.empty() ? "proves" : "shows what NCCL tried before calls failed,",
      proven,
      nvls,
      doubt_text(log),
      log.lines.torn > 0 ? ", and torn lines may hide some" : "",
      weak);
}

/// Text of a log may hold control characters; a terminal should not obey them.
std::string printable(const std::string& text) {
  std::string lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = text.find('\n', begin);
    lines += error_line(text.substr(begin, end - begin)) + "\n";
    begin = end == std::string::npos ? text.size() : end + 1;
  }
  return lines;
}

}  // namespace

std::string evidence_text(const NcclLog& log) {
  const std::vector<PairEvidence> pairs = join_pairs(log);
  return printable(pairs_text(pairs, leaves_only_net(log)) + several_text(log) +
                   topology_text(log) + environment_text(log) + tuning_text(log) + init_text(log) +
                   warnings_text(log) + failures_text(log) + lines_text(log) +
                   proof_text(log, pairs));
}

}  // namespace viaduct
