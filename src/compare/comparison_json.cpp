#include "compare/comparison_views.hpp"

#include <nlohmann/json.hpp>

namespace viaduct {
namespace {

using Json = nlohmann::ordered_json;

template <typename Value>
Json value_or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json word_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json interval_or_null(const std::optional<Interval>& interval) {
  return interval ? Json{{"low", interval->low}, {"high", interval->high}} : Json(nullptr);
}

Json key_json(const PointKey& key) {
  return {{"path", word_or_null(key.path)},
          {"operation", word_or_null(key.operation)},
          {"size_bytes", value_or_null(key.size_bytes)},
          {"datatype", word_or_null(key.datatype)},
          {"reduction", word_or_null(key.reduction)},
          {"root", word_or_null(key.root)},
          {"placement", word_or_null(key.placement)},
          {"mode", word_or_null(key.mode)},
          {"traffic", word_or_null(key.traffic)},
          {"group", word_or_null(key.group)},
          {"from", word_or_null(key.from)},
          {"to", word_or_null(key.to)}};
}

Json point_json(const ComparedPoint& point) {
  // Where only a rate is known its inverse is no time of an operation.
  const bool is_rate = point.value && point.algbw_gbs && *point.value * *point.algbw_gbs == 1;
  return {{"status", name(point.status)},
          {"time_us", is_rate ? Json(nullptr) : value_or_null(point.value)},
          {"interval_us", interval_or_null(point.within)},
          {"algbw_gbs", value_or_null(point.algbw_gbs)},
          {"busbw_gbs", value_or_null(point.busbw_gbs)},
          {"samples", point.samples.size()},
          {"launches_us", point.launches}};
}

const char* name(LaunchNoise::Source source) {
  return source == LaunchNoise::Source::launches     ? "launches"
         : source == LaunchNoise::Source::neighbours ? "neighbours"
                                                     : "assumed";
}

Json row_json(const ComparedRow& row) {
  Json json = key_json(row.key);
  json["a"] = point_json(row.a);
  json["b"] = point_json(row.b);
  json["ratio"] = value_or_null(row.verdict.ratio);
  json["ratio_interval"] = interval_or_null(row.verdict.single);
  json["ratio_interval_at_once"] = interval_or_null(row.verdict.family);
  json["mann_whitney_p"] = value_or_null(row.verdict.mann_whitney_p);
  json["verdict"] = row.verdict.word;
  json["by"] = word_or_null(row.verdict.basis);
  json["launch_spread"] = {{"from", name(row.noise.source)}, {"deviation", row.noise.deviation}};
  json["reason"] = word_or_null(row.verdict.reason);
  return json;
}

Json keys_json(const std::vector<PointKey>& keys) {
  Json list = Json::array();
  for (const PointKey& key : keys) {
    list.push_back(key_json(key));
  }
  return list;
}

Json counts_json(const Comparison& comparison) {
  Json counts = Json::object();
  for (const char* word : {"broken", "lost", "regression", "improvement", "same", "unclear"}) {
    counts[word] = count_of(comparison, word);
  }
  return counts;
}

}  // namespace

std::string comparison_json(const Comparison& comparison) {
  Json document;
  document["a"] = comparison.a;
  document["b"] = comparison.b;
  document["margin"] = comparison.options.margin;
  document["confidence"] = comparison.options.confidence;
  document["one_launch"] = comparison.is_one_launch;
  document["comparisons"] = comparison.family;
  document["counts"] = counts_json(comparison);
  document["rows"] = Json::array();
  for (const ComparedRow& row : comparison.rows) {
    document["rows"].push_back(row_json(row));
  }
  document["only_in_a"] = keys_json(comparison.only_in_a);
  document["only_in_b"] = keys_json(comparison.only_in_b);
  document["configuration"] = {{"unequal", comparison.configuration.allowed},
                               {"unknown", comparison.configuration.unknown}};
  document["notes"] = comparison.notes;
  document["exit_code"] = static_cast<int>(exit_code(comparison));
  // Names of files and paths may hold any bytes; JSON may not.
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace viaduct
