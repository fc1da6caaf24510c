#include "report/record_json.hpp"

#include "report/evidence_json.hpp"
#include "report/json_values.hpp"

#include <nlohmann/json.hpp>

namespace viaduct {

namespace {

using Json = nlohmann::json;

Json finite_list(const std::vector<double>& values, const char* key) {
  Json list = Json::array();
  for (const double value : values) {
    list.push_back(finite(value, key));
  }
  return list;
}

Json time_json(const TimeSummary& time) {
  return Json{{"median", finite(time.median, "time_us.median")},
              {"low", finite(time.low, "time_us.low")},
              {"high", finite(time.high, "time_us.high")},
              {"min", finite(time.min, "time_us.min")},
              {"mean", finite(time.mean, "time_us.mean")},
              {"p95", finite_or_null(time.p95, "time_us.p95")},
              {"p99", finite_or_null(time.p99, "time_us.p99")},
              {"max", finite(time.max, "time_us.max")},
              {"cv", finite(time.cv, "time_us.cv")},
              {"samples", time.samples},
              {"operations", time.operations}};
}

Json group_json(const std::optional<RankGroup>& group) {
  if (!group) {
    return nullptr;
  }
  return Json{{"kind", group->kind},
              {"index", group->index},
              {"name", group->name},
              {"ranks", group->ranks}};
}

Json legs_json(const std::vector<Leg>& legs) {
  Json list = Json::array();
  for (const Leg& leg : legs) {
    list.push_back(Json{{"name", leg.name}, {"median_us", finite(leg.median_us, "legs")}});
  }
  return list;
}

Json end_json(int gpu) {
  return gpu == CopyEnds::none ? Json(nullptr) : Json(gpu);
}

/// What a measurement and a verdict have in common.
void put_case(Json& json, const Case& c, bool reduces, bool has_root) {
  json["operation"] = c.operation;
  json["size_bytes"] = c.size_bytes;
  json["datatype"] = name(c.datatype);
  json["reduction"] = reduces ? Json(name(c.reduction)) : Json(nullptr);
  json["root"] = has_root ? Json(c.root) : Json(nullptr);
  json["placement"] = name(c.placement);
  json["mode"] = name(c.mode);
  json["traffic"] = text_or_null(c.traffic.name);
  json["window"] = c.window > 0 ? Json(c.window) : Json(nullptr);
}

void put_times(Json& json, const Measurement& m) {
  json["time_us"] = m.time_us ? time_json(*m.time_us) : Json(nullptr);
  json["algbw_gbs"] = finite_or_null(m.algbw_gbs, "algbw_gbs");
  json["busbw_gbs"] = finite_or_null(m.busbw_gbs, "busbw_gbs");
  json["messages_per_s"] = finite_or_null(m.messages_per_s, "messages_per_s");
  json["one_way_ratio"] = nullptr;
  if (m.one_way_ratio) {
    json["one_way_ratio"] = Json{{"ratio", finite(m.one_way_ratio->ratio, "one_way_ratio.ratio")},
                                 {"low", finite(m.one_way_ratio->low, "one_way_ratio.low")},
                                 {"high", finite(m.one_way_ratio->high, "one_way_ratio.high")}};
  }
  json["per_rank_median_us"] = finite_list(m.per_rank_median_us, "per_rank_median_us");
  json["slowest_rank"] = or_null(m.slowest_rank);
  json["launches"] = nullptr;
  if (m.launches) {
    json["launches"] =
        Json{{"medians_us", finite_list(m.launches->medians_us, "launches.medians_us")},
             {"spread", finite(m.launches->spread, "launches.spread")}};
  }
  json["samples_us"] =
      m.samples_us.empty() ? Json(nullptr) : finite_list(m.samples_us, "samples_us");
}

void put_method(Json& json, const Measurement& m) {
  json["method"] = name(m.method);
  json["stopped"] = text_or_null(m.stopped);
  json["settled"] = m.settled;
  json["batch_operations"] = m.batch_operations;
  json["replays"] = m.replays;
  json["slots"] = m.slots;
  json["memory_bytes"] = m.memory_bytes;
  json["thinned_by"] = m.thinned_by;
  json["lanes"] = text_or_null(m.lanes);
  json["buffers"] = name(m.buffers.kind);
  json["offset_bytes"] = m.buffers.offset_bytes;
  json["allocator"] = text_or_null(m.allocator);
  json["registration"] = text_or_null(m.registration);
  json["first_operation_us"] =
      m.first_operation_us > 0 ? finite(m.first_operation_us, "first_operation_us") : Json(nullptr);
}

}  // namespace

nlohmann::json to_json(const Measurement& m) {
  Json json{{"record", "measurement"}, {"path", m.path}, {"engine", name(m.engine)}};
  put_case(json, m.c, m.reduces, m.has_root);
  json["count"] = m.count;
  json["ranks"] = m.ranks;
  json["group"] = group_json(m.group);
  json["from"] = or_null(m.from);
  json["to"] = or_null(m.to);
  json["pair_alone"] = or_null(m.pair_alone);
  json["pair_class"] = text_or_null(m.pair_class);
  json["legs"] = legs_json(m.legs);
  json["status"] = name(m.status);
  json["reason"] = text_or_null(m.reason);
  json["wrong"] = or_null(m.wrong);
  json["checked"] = m.checked;
  json["checked_operations"] = m.checked_operations;
  json["tolerance_ulp"] = m.tolerance_ulp;
  put_times(json, m);
  put_method(json, m);
  put_evidence(json, m);
  json["limit_gbs"] = finite_or_null(m.limit_gbs, "limit_gbs");
  json["limit_formula"] = text_or_null(m.limit_formula);
  return json;
}

nlohmann::json to_json(const Verdict& v) {
  Json json{{"record", "verdict"},
            {"reference", v.reference},
            {"path", v.path},
            {"engine", name(v.engine)}};
  put_case(json, v.c, v.reduces, v.has_root);
  json["ranks"] = v.ranks;
  json["group"] = group_json(v.group);
  json["from"] = v.from ? Json(*v.from) : end_json(v.c.ends.from);
  json["to"] = v.to ? Json(*v.to) : end_json(v.c.ends.to);
  json["method"] = name(v.method);
  json["ratio"] = nullptr;
  if (v.ratio) {
    json["ratio"] = Json{{"median", finite(v.ratio->median, "ratio.median")},
                         {"low", finite(v.ratio->low, "ratio.low")},
                         {"high", finite(v.ratio->high, "ratio.high")},
                         {"rounds", v.ratio->rounds}};
  }
  json["verdict"] = text_or_null(v.verdict);
  json["reason"] = text_or_null(v.reason);
  return json;
}

nlohmann::json to_json(const GateVerdict& gate) {
  return Json{{"record", "gate"},
              {"name", gate.name},
              {"kind", gate.kind},
              {"state", name(gate.state)},
              {"fails", gate.fails},
              {"reason", text_or_null(gate.reason)},
              {"rows", gate.rows},
              {"rows_failed", gate.rows_failed},
              {"rows_unclear", gate.rows_unclear},
              {"rows_skipped", gate.rows_skipped}};
}

nlohmann::json to_json(const End& end) {
  return Json{{"record", "end"},
              {"status", end.status},
              {"exit_code", end.exit_code},
              {"reason", text_or_null(end.reason)},
              {"elapsed_s", finite(end.elapsed_s, "elapsed_s")},
              {"measurements", end.measurements},
              {"skipped", end.skipped},
              {"lost", end.lost},
              {"wrong", end.wrong}};
}

}  // namespace viaduct
