// Findings as JSON and back.

#include "report/engine_field.hpp"
#include "report/json_fields.hpp"
#include "report/json_values.hpp"
#include "report/record_json.hpp"

#include <nlohmann/json.hpp>

namespace viaduct {

namespace {

using Json = nlohmann::json;

Json class_json(const FindingClass& one) {
  return Json{{"pair_class", one.pair_class},
              {"alone", one.alone},
              {"value", finite(one.value, "classes.value")},
              {"peer_median", finite(one.peer_median, "classes.peer_median")},
              {"slowness", finite(one.slowness, "classes.slowness")},
              {"pairs", one.pairs},
              {"peers", one.peers},
              {"measured", one.measured},
              {"chance", finite(one.chance, "classes.chance")}};
}

FindingClass class_from(const JsonFields& fields) {
  FindingClass one;
  one.pair_class = fields.text("pair_class");
  one.alone = fields.flag("alone");
  one.value = fields.number("value");
  one.peer_median = fields.number("peer_median");
  one.slowness = fields.number("slowness");
  one.pairs = fields.count("pairs");
  one.peers = fields.count("peers");
  one.measured = fields.count("measured");
  one.chance = fields.number("chance");
  return one;
}

}  // namespace

nlohmann::json to_json(const PairFinding& finding) {
  Json json{{"record", "finding"}, {"path", finding.path}, {"engine", name(finding.engine)}};
  json["operation"] = finding.operation;
  json["size_bytes"] = finding.size_bytes;
  json["unit"] = finding.unit;
  json["kind"] = finding.kind;
  json["subject"] = finding.subject;
  json["flow"] = finding.flow;
  json["inside"] = finding.inside;
  json["host"] = text_or_null(finding.host);
  json["to_host"] = text_or_null(finding.to_host);
  json["rank"] = or_null(finding.rank);
  json["to_rank"] = or_null(finding.to_rank);
  json["rail"] = or_null(finding.rail);
  json["classes"] = Json::array();
  for (const FindingClass& one : finding.classes) {
    json["classes"].push_back(class_json(one));
  }
  json["text"] = finding.text;
  return json;
}

PairFinding finding_from(const JsonFields& fields) {
  PairFinding finding;
  finding.path = fields.text("path");
  finding.engine = engine_field(fields);
  finding.operation = fields.text("operation");
  finding.size_bytes = fields.count("size_bytes");
  finding.unit = fields.text("unit");
  finding.kind = fields.text("kind");
  finding.subject = fields.text("subject");
  finding.flow = fields.text("flow");
  finding.inside = fields.flag("inside");
  finding.host = fields.text_or_empty("host");
  finding.to_host = fields.text_or_empty("to_host");
  finding.rank = fields.optional_integer("rank");
  finding.to_rank = fields.optional_integer("to_rank");
  finding.rail = fields.optional_integer("rail");
  for (const JsonFields& one : fields.objects("classes")) {
    finding.classes.push_back(class_from(one));
  }
  finding.text = fields.text("text");
  return finding;
}

}  // namespace viaduct
