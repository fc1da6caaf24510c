#include "paths/pair_evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace viaduct {

namespace {

/// A rank and its device.
using RankKey = std::pair<int, std::string>;

/// Channel and connection.
using ChannelKey = std::pair<int, int>;

using ChannelLines = std::map<ChannelKey, std::vector<const LogEdge*>>;

bool writes_as_sender(const LogEdge& edge) {
  return edge.end != LineEnd::receive;
}

/// The host of each rank, from who wrote its lines; empty where two hosts did.
class RankHosts {
 public:
  explicit RankHosts(const std::vector<LogEdge>& edges) {
    for (const LogEdge& edge : edges) {
      const RankKey rank = writes_as_sender(edge) ? RankKey(edge.from, edge.from_device)
                                                  : RankKey(edge.to, edge.to_device);
      const auto [found, is_new] = hosts_.emplace(rank, edge.writer.host);
      if (!is_new && found->second != edge.writer.host) {
        found->second.clear();
      }
    }
  }

  [[nodiscard]] std::string host(int rank, const std::string& device) const {
    const auto found = hosts_.find({rank, device});
    return found == hosts_.end() ? "" : found->second;
  }

 private:
  std::map<RankKey, std::string> hosts_;
};

/// 2.18.1 prints a CUDA index with P2P/CUMEM and a bus id with all else: the same GPU has two
/// names.
bool mixes_device_labels(const NcclLog& log) {
  return std::any_of(log.versions.begin(), log.versions.end(), [](const auto& version) {
    return version.first.starts_with("2.18.1+") || version.first == "2.18.1";
  });
}

std::vector<LogEdge> without_devices(std::vector<LogEdge> edges) {
  for (LogEdge& edge : edges) {
    edge.from_device.clear();
    edge.to_device.clear();
  }
  return edges;
}

/// What makes two lines of one end the same fact.
auto facts_of(const LogEdge& edge) {
  return std::tie(edge.transport, edge.detail, edge.gdrdma, edge.pci, edge.shared, edge.proxy_rank);
}

/// Lines of one end of one transport, each fact once.
std::vector<const LogEdge*> facts_of_end(const std::vector<const LogEdge*>& lines,
                                         LogTransport transport,
                                         bool is_sender) {
  std::vector<const LogEdge*> facts;
  for (const LogEdge* line : lines) {
    const auto is_same = [line](const LogEdge* known) {
      return facts_of(*known) == facts_of(*line);
    };
    if (line->transport == transport && writes_as_sender(*line) == is_sender &&
        std::none_of(facts.begin(), facts.end(), is_same)) {
      facts.push_back(line);
    }
  }
  return facts;
}

/// What all lines of that end say; unknown without one, or where they differ.
GpuDirect agreed_gdrdma(const std::vector<const LogEdge*>& facts) {
  if (facts.empty()) {
    return GpuDirect::unknown;
  }
  const GpuDirect first = facts.front()->gdrdma;
  const bool agree = std::all_of(
      facts.begin(), facts.end(), [first](const LogEdge* line) { return line->gdrdma == first; });
  return agree ? first : GpuDirect::unknown;
}

void add_use(PairEvidence& pair, const PathUse& use, const LogEdge& line) {
  const auto is_same = [&use](const PathUse& known) {
    return std::tie(known.transport, known.detail, known.send_gdrdma, known.receive_gdrdma) ==
               std::tie(use.transport, use.detail, use.send_gdrdma, use.receive_gdrdma) &&
           std::tie(known.pci, known.shared, known.has_send_line, known.has_receive_line) ==
               std::tie(use.pci, use.shared, use.has_send_line, use.has_receive_line);
  };
  auto found = std::find_if(pair.uses.begin(), pair.uses.end(), is_same);
  if (found == pair.uses.end()) {
    found = pair.uses.insert(pair.uses.end(), use);
  }
  found->channels.insert(line.channel);
  ++found->connections;
  if (line.proxy_rank >= 0) {
    found->proxy_ranks.insert(line.proxy_rank);
  }
}

/// The uses that one channel has by one transport.
void add_channel(PairEvidence& pair,
                 const std::vector<const LogEdge*>& lines,
                 LogTransport transport) {
  const auto sent = facts_of_end(lines, transport, true);
  const auto received = facts_of_end(lines, transport, false);
  for (const LogEdge* line : sent.empty() ? received : sent) {
    PathUse use;
    use.transport = transport;
    use.detail = line->detail;
    use.pci = line->pci;
    use.shared = line->shared;
    use.has_send_line = !sent.empty();
    use.has_receive_line = !received.empty();
    use.send_gdrdma = sent.empty() ? GpuDirect::unknown : line->gdrdma;
    use.receive_gdrdma = agreed_gdrdma(received);
    add_use(pair, use, *line);
  }
}

/// "NET/IB" of "IB/0": the ends may use different devices, but one kind of network.
std::string network_kind(const LogEdge& edge) {
  std::string kind = name(edge.transport);
  if (edge.transport == LogTransport::net || edge.transport == LogTransport::collnet) {
    kind += "/" + edge.detail.substr(0, edge.detail.rfind('/'));
  }
  return kind;
}

void find_conflict(PairEvidence& pair,
                   const ChannelKey& key,
                   const std::vector<const LogEdge*>& lines) {
  std::set<std::string> by_sender;
  std::set<std::string> by_receiver;
  for (const LogEdge* line : lines) {
    (writes_as_sender(*line) ? by_sender : by_receiver).insert(network_kind(*line));
  }
  const std::string channel = key.second < 0 ? fmt::format("channel {}", key.first)
                                             : fmt::format("channel {}/{}", key.first, key.second);
  if (!by_sender.empty() && !by_receiver.empty() && by_sender != by_receiver) {
    pair.conflicts.push_back(fmt::format("{}: the sender says {}, the receiver {}",
                                         channel,
                                         fmt::join(by_sender, " and "),
                                         fmt::join(by_receiver, " and ")));
  } else if (by_sender.size() > 1 || by_receiver.size() > 1) {
    const auto& kinds = by_sender.size() > 1 ? by_sender : by_receiver;
    pair.conflicts.push_back(
        fmt::format("{}: one end says {}", channel, fmt::join(kinds, " and ")));
  }
}

PairEvidence join_channels(const ChannelLines& channels) {
  PairEvidence pair;
  for (const auto& [key, lines] : channels) {
    std::set<LogTransport> transports;
    for (const LogEdge* line : lines) {
      transports.insert(line->transport);
    }
    for (const LogTransport transport : transports) {
      add_channel(pair, lines, transport);
    }
    find_conflict(pair, key, lines);
  }
  return pair;
}

/// The rank that wrote the line, by the pointer of its communicator; the head's number where no
/// line tells it.
int rank_of(const LogNvls& nvls, const NcclLog& log) {
  for (const LogCommunicator& comm : log.communicators) {
    if (comm.comm == nvls.comm && comm.writer.host == nvls.writer.host &&
        comm.writer.pid == nvls.writer.pid) {
      return comm.rank;
    }
  }
  return nvls.head_rank;
}

void add_nvls(std::vector<PairEvidence>& pairs, const NcclLog& log) {
  std::map<int, PairEvidence> groups;
  for (const LogNvls& nvls : log.nvls) {
    PairEvidence& group = groups[rank_of(nvls, log)];
    const std::string detail = fmt::format("multicast, {} heads", nvls.heads);
    const auto is_same = [&detail](const PathUse& use) { return use.detail == detail; };
    if (std::any_of(group.uses.begin(), group.uses.end(), is_same)) {
      continue;
    }
    group.from = rank_of(nvls, log);
    group.from_host = nvls.writer.host;
    PathUse use;
    use.transport = LogTransport::nvls;
    use.detail = detail;
    group.uses.push_back(use);
  }
  for (auto& [rank, group] : groups) {
    pairs.push_back(std::move(group));
  }
}

bool has_net(const std::vector<PathUse>& uses) {
  return std::any_of(uses.begin(), uses.end(), [](const PathUse& use) {
    return use.transport == LogTransport::net;
  });
}

}  // namespace

bool PairEvidence::is_mixed() const {
  return std::any_of(uses.begin(), uses.end(), [this](const PathUse& use) {
    return use.transport != uses.front().transport;
  });
}

bool PairEvidence::is_net_inside_host() const {
  return !from_host.empty() && from_host == to_host && has_net(uses);
}

bool PairEvidence::may_be_net_inside_host() const {
  return (from_host.empty() || to_host.empty()) && has_net(uses);
}

GpuDirect gdrdma_of(const PathUse& use) {
  if (use.send_gdrdma == GpuDirect::no || use.receive_gdrdma == GpuDirect::no) {
    return GpuDirect::no;
  }
  const bool sender_may = !use.has_send_line || use.send_gdrdma == GpuDirect::yes;
  const bool receiver_may = !use.has_receive_line || use.receive_gdrdma == GpuDirect::yes;
  const bool has_line = use.has_send_line || use.has_receive_line;
  return sender_may && receiver_may && has_line ? GpuDirect::yes : GpuDirect::unknown;
}

std::vector<PairEvidence> join_pairs(const NcclLog& log) {
  const std::vector<LogEdge> unlabelled =
      mixes_device_labels(log) ? without_devices(log.edges) : std::vector<LogEdge>();
  const std::vector<LogEdge>& edges = unlabelled.empty() ? log.edges : unlabelled;
  std::map<std::pair<RankKey, RankKey>, ChannelLines> lines;
  for (const LogEdge& edge : edges) {
    lines[{{edge.from, edge.from_device}, {edge.to, edge.to_device}}]
         [{edge.channel, edge.connection}]
             .push_back(&edge);
  }
  const RankHosts hosts(edges);
  std::vector<PairEvidence> pairs;
  for (const auto& [key, channels] : lines) {
    PairEvidence pair = join_channels(channels);
    std::tie(pair.from, pair.from_device) = key.first;
    std::tie(pair.to, pair.to_device) = key.second;
    pair.from_host = hosts.host(pair.from, pair.from_device);
    pair.to_host = hosts.host(pair.to, pair.to_device);
    pairs.push_back(std::move(pair));
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const PairEvidence& a, const PairEvidence& b) {
    return std::tie(a.from, a.to) < std::tie(b.from, b.to);
  });
  add_nvls(pairs, log);
  return pairs;
}

}  // namespace viaduct
