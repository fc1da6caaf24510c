#include "app/evidence_views.hpp"
#include "paths/pair_evidence.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace viaduct {

namespace {

using Json = nlohmann::ordered_json;

Json rank_or_null(int rank) {
  return rank < 0 ? Json(nullptr) : Json(rank);
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json flag_or_null(GpuDirect value) {
  return value == GpuDirect::unknown ? Json(nullptr) : Json(value == GpuDirect::yes);
}

template <typename Value>
Json value_or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json writer_json(const LogWriter& writer) {
  return {{"host", writer.host}, {"pid", writer.pid}};
}

/// NVLS prints no channel lines, only how many channels it has.
int nvls_channels(const NcclLog& log, const std::string& host) {
  int channels = 0;
  for (const LogChannelCounts& counts : log.channel_counts) {
    if (counts.writer.host == host) {
      channels = std::max(channels, counts.nvls);
    }
  }
  return channels;
}

Json edge_json(const NcclLog& log, const PairEvidence& pair, const PathUse& use) {
  Json edge;
  edge["from"] = rank_or_null(pair.from);
  edge["to"] = rank_or_null(pair.to);
  edge["transport"] = name(use.transport);
  edge["detail"] = use.detail;
  edge["channels"] = use.transport == LogTransport::nvls ? nvls_channels(log, pair.from_host)
                                                         : static_cast<int>(use.channels.size());
  edge["connections"] = use.connections;
  edge["gdrdma"] = flag_or_null(gdrdma_of(use));
  edge["gdrdma_send"] = flag_or_null(use.send_gdrdma);
  edge["gdrdma_receive"] = flag_or_null(use.receive_gdrdma);
  edge["pci"] = use.pci;
  edge["shared"] = use.shared;
  edge["proxy_ranks"] = use.proxy_ranks;
  edge["send_line"] = use.has_send_line;
  edge["receive_line"] = use.has_receive_line;
  edge["from_device"] = text_or_null(pair.from_device);
  edge["to_device"] = text_or_null(pair.to_device);
  edge["from_host"] = text_or_null(pair.from_host);
  edge["to_host"] = text_or_null(pair.to_host);
  return edge;
}

Json lines_json(const NcclLog& log) {
  Json lines = {{"read", log.lines.read},
                {"edges", log.lines.edges},
                {"torn", log.lines.torn},
                {"facts", log.lines.facts},
                {"ignored", log.lines.ignored},
                {"headless", log.lines.headless}};
  lines["torn_places"] = Json::array();
  for (const LinePlace& place : log.torn_places) {
    lines["torn_places"].push_back({{"file", place.file}, {"line", place.line}});
  }
  return lines;
}

Json pairs_json(const std::vector<PairEvidence>& pairs) {
  Json list = Json::array();
  for (const PairEvidence& pair : pairs) {
    Json item = {{"from", rank_or_null(pair.from)}, {"to", rank_or_null(pair.to)}};
    item["mixed"] = pair.is_mixed();
    item["net_inside_host"] =
        pair.may_be_net_inside_host() ? Json(nullptr) : Json(pair.is_net_inside_host());
    item["conflicts"] = pair.conflicts;
    list.push_back(std::move(item));
  }
  return list;
}

Json topology_json(const NcclLog& log) {
  Json topology;
  topology["versions"] = log.versions;
  topology["networks"] = log.networks;
  topology["connected"] = log.connected;
  topology["communicators"] = Json::array();
  for (const LogCommunicator& comm : log.communicators) {
    Json item = writer_json(comm.writer);
    item["rank"] = comm.rank;
    item["ranks"] = comm.ranks;
    item["nodes"] = value_or_null(comm.nodes);
    item["local_ranks"] = value_or_null(comm.local_ranks);
    item["mnnvl"] = value_or_null(comm.mnnvl);
    item["bus_id"] = text_or_null(comm.bus_id);
    item["complete"] = comm.complete;
    topology["communicators"].push_back(std::move(item));
  }
  topology["p2p_types"] = Json::array();
  for (const LogP2pType& type : log.p2p_types) {
    topology["p2p_types"].push_back({{"is_all_direct_p2p", type.all_direct},
                                     {"direct_mode", type.direct_mode},
                                     {"is_all_cuda_p2p", value_or_null(type.all_cuda)}});
  }
  return topology;
}

Json environment_json(const NcclLog& log) {
  Json list = Json::array();
  for (const LogVariable& variable : log.variables) {
    Json item = writer_json(variable.writer);
    item["name"] = variable.name;
    item["value"] = variable.value;
    list.push_back(std::move(item));
  }
  return list;
}

Json init_json(const NcclLog& log) {
  Json list = Json::array();
  for (const LogInitTiming& timing : log.init_timings) {
    list.push_back({{"function", text_or_null(timing.function)},
                    {"rank", timing.rank},
                    {"ranks", timing.ranks},
                    {"total_s", timing.total_s},
                    {"parts_s", timing.parts_s}});
  }
  return list;
}

Json tuning_json(const NcclLog& log) {
  Json list = Json::array();
  for (const auto& [tuning, lines] : log.tuning) {
    Json item = {{"operation", text_or_null(tuning.operation)}, {"bytes", tuning.bytes}};
    item["algorithm"] = tuning.algorithm;
    item["protocol"] = text_or_null(tuning.protocol);
    item["kernel"] = text_or_null(tuning.kernel);
    item["channels"] = rank_or_null(tuning.channels);
    item["channel_lo"] = rank_or_null(tuning.channel_lo);
    item["channel_hi"] = rank_or_null(tuning.channel_hi);
    item["time_us"] = value_or_null(tuning.time_us);
    item["lines"] = lines;
    list.push_back(std::move(item));
  }
  return list;
}

Json warnings_json(const NcclLog& log) {
  Json list = Json::array();
  for (const LogWarning& warning : log.warnings) {
    Json item = writer_json(warning.writer);
    item["text"] = warning.text;
    item["source"] = text_or_null(warning.source);
    item["cause"] = text_or_null(warning.cause);
    list.push_back(std::move(item));
  }
  return list;
}

Json failures_json(const NcclLog& log) {
  Json list = Json::array();
  for (const LogFailure& failure : log.failures) {
    Json item = failure.text.empty() ? writer_json(failure.writer)
                                     : Json{{"host", nullptr}, {"pid", nullptr}};
    item["code"] = rank_or_null(failure.code);
    item["meaning"] = text_or_null(failure.meaning);
    item["first"] = text_or_null(failure.first);
    item["last"] = text_or_null(failure.last);
    item["text"] = text_or_null(failure.text);
    item["lines"] = failure.lines;
    list.push_back(std::move(item));
  }
  return list;
}

}  // namespace

std::string evidence_json(const NcclLog& log) {
  const std::vector<PairEvidence> pairs = join_pairs(log);
  Json document;
  document["edges"] = Json::array();
  for (const PairEvidence& pair : pairs) {
    for (const PathUse& use : pair.uses) {
      document["edges"].push_back(edge_json(log, pair, use));
    }
  }
  document["lines"] = lines_json(log);
  document["pairs"] = pairs_json(pairs);
  document["topology"] = topology_json(log);
  document["environment"] = environment_json(log);
  document["init_timings"] = init_json(log);
  document["tuning"] = tuning_json(log);
  document["warnings"] = warnings_json(log);
  document["failures"] = failures_json(log);
  // A log may hold any bytes; JSON may not.
  return document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace viaduct
