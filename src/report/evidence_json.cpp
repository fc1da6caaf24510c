#include "report/evidence_json.hpp"

#include "report/json_values.hpp"
#include "report/pair_classes.hpp"
#include "report/record_json.hpp"

namespace viaduct {

namespace {

using Json = nlohmann::json;

Json counted_json(const std::optional<CountedBytes>& counted) {
  if (!counted) {
    return nullptr;
  }
  return Json{{"nvlink_bytes", finite_or_null(counted->sent.nvlink, "counted.nvlink_bytes")},
              {"pcie_bytes", finite_or_null(counted->sent.pcie, "counted.pcie_bytes")},
              {"rdma_bytes", finite_or_null(counted->sent.rdma, "counted.rdma_bytes")},
              {"net_bytes", finite_or_null(counted->sent.net, "counted.net_bytes")},
              {"low_bytes", finite(counted->low_bytes, "counted.low_bytes")},
              {"high_bytes", finite(counted->high_bytes, "counted.high_bytes")},
              {"operations", counted->operations},
              {"why_not", text_or_null(counted->why_not)}};
}

Json case_evidence_json(const CaseEvidence& evidence) {
  return Json{{"state", name(evidence.state)},
              {"by", text_or_null(evidence.by)},
              {"reason", text_or_null(evidence.reason)},
              {"transports", evidence.transports},
              {"counted", counted_json(evidence.counted)}};
}

Json algorithm_json(const AlgorithmChoice& choice) {
  return Json{{"algorithm", text_or_null(choice.algorithm)},
              {"protocol", text_or_null(choice.protocol)},
              {"channels", choice.channels > 0 ? Json(choice.channels) : Json(nullptr)}};
}

/// No rank, where a switch or a whole group stands at that end.
Json rank_json(int rank) {
  return rank < 0 ? Json(nullptr) : Json(rank);
}

Json pair_json(const PairPath& pair) {
  return Json{{"from", rank_json(pair.from)},
              {"to", rank_json(pair.to)},
              {"transports", pair.transports},
              {"channels", pair.channels},
              {"state", name(pair.state)},
              {"reason", text_or_null(pair.reason)}};
}

/// As rank_json.
Json ranks_json(const std::string& ranks) {
  return text_or_null(ranks);
}

Json class_json(const PairClass& one) {
  Json blocks = Json::array();
  for (const PairBlock& block : one.blocks) {
    blocks.push_back({{"from", ranks_json(block.from)}, {"to", ranks_json(block.to)}});
  }
  Json json = pair_json(one.like);
  json.erase("from");
  json.erase("to");
  json["pairs"] = one.pairs;
  json["blocks"] = blocks;
  return json;
}

EvidenceState state_from(const JsonFields& fields, const char* key = "state") {
  const std::string text = fields.text(key);
  for (const EvidenceState state :
       {EvidenceState::unknown, EvidenceState::proven, EvidenceState::contradicted}) {
    if (text == name(state)) {
      return state;
    }
  }
  throw Error(
      ErrorKind::io,
      fmt::format(
          "key '{}' must be unknown, proven or contradicted, is '{}'", fields.place(key), text));
}

std::optional<double> number_if_there(const JsonFields& fields, const char* key) {
  return fields.has(key) ? fields.optional_number(key) : std::nullopt;
}

CountedBytes counted_from(const JsonFields& fields) {
  CountedBytes counted;
  counted.sent.nvlink = fields.optional_number("nvlink_bytes");
  // Files from before these were kept do not have them.
  counted.sent.pcie = number_if_there(fields, "pcie_bytes");
  counted.sent.rdma = number_if_there(fields, "rdma_bytes");
  counted.sent.net = number_if_there(fields, "net_bytes");
  counted.low_bytes = fields.number("low_bytes");
  counted.high_bytes = fields.number("high_bytes");
  counted.operations = fields.count("operations");
  counted.why_not = fields.text_or_empty("why_not");
  return counted;
}

CaseEvidence case_evidence_from(const JsonFields& fields) {
  CaseEvidence evidence;
  evidence.state = state_from(fields);
  evidence.by = fields.text_or_empty("by");
  evidence.reason = fields.text_or_empty("reason");
  evidence.transports = fields.integer_map("transports");
  if (!fields.is_null("counted")) {
    evidence.counted = counted_from(fields.object("counted"));
  }
  return evidence;
}

/// Without its ranks.
PairPath kind_from(const JsonFields& fields) {
  PairPath pair;
  pair.transports = fields.texts("transports");
  pair.channels = fields.integer("channels");
  pair.state = state_from(fields);
  pair.reason = fields.text_or_empty("reason");
  return pair;
}

PairPath pair_from(const JsonFields& fields) {
  PairPath pair = kind_from(fields);
  pair.from = fields.optional_integer("from").value_or(-1);
  pair.to = fields.optional_integer("to").value_or(-1);
  return pair;
}

PairClass class_from(const JsonFields& fields) {
  PairClass one;
  one.like = kind_from(fields);
  one.pairs = fields.count("pairs");
  for (const JsonFields& block : fields.objects("blocks")) {
    one.blocks.push_back({block.text_or_empty("from"), block.text_or_empty("to")});
  }
  return one;
}

/// Files from before pairs were folded list them all.
void read_pairs(PathEvidence& evidence, const JsonFields& fields) {
  FoldedPairs folded;
  for (const JsonFields& pair : fields.objects("pairs")) {
    folded.single.push_back(pair_from(pair));
  }
  if (fields.has("pair_classes")) {
    for (const JsonFields& one : fields.objects("pair_classes")) {
      folded.classes.push_back(class_from(one));
    }
    evidence.pairs_left_out = fields.count("pairs_left_out");
  }
  evidence.pairs = unfold_pairs(folded);
}

bool is_there(const JsonFields& fields, const char* key) {
  return fields.has(key) && !fields.is_null(key);
}

}  // namespace

void put_evidence(nlohmann::json& json, const Measurement& m) {
  json["evidence"] = m.evidence ? case_evidence_json(*m.evidence) : Json(nullptr);
  json["algorithm"] = m.algorithm ? algorithm_json(*m.algorithm) : Json(nullptr);
  json["health"] = text_or_null(m.health);
}

void read_evidence(Measurement& m, const JsonFields& fields) {
  if (is_there(fields, "evidence")) {
    m.evidence = case_evidence_from(fields.object("evidence"));
  }
  if (is_there(fields, "algorithm")) {
    const JsonFields choice = fields.object("algorithm");
    m.algorithm = AlgorithmChoice{choice.text_or_empty("algorithm"),
                                  choice.text_or_empty("protocol"),
                                  choice.optional_integer("channels").value_or(0)};
  }
  if (is_there(fields, "health")) {
    m.health = fields.text("health");
  }
}

nlohmann::json to_json(const PathEvidence& evidence) {
  const FoldedPairs folded = fold_pairs(evidence.pairs);
  Json pairs = Json::array();
  for (const PairPath& pair : folded.single) {
    pairs.push_back(pair_json(pair));
  }
  Json classes = Json::array();
  for (const PairClass& one : folded.classes) {
    classes.push_back(class_json(one));
  }
  return Json{{"record", "evidence"},
              {"path", evidence.path},
              {"state", name(evidence.state)},
              {"pairs_state", name(evidence.pairs_state)},
              {"reason", text_or_null(evidence.reason)},
              {"pairs", pairs},
              {"pair_classes", classes},
              {"pairs_left_out", folded.left_out + evidence.pairs_left_out},
              {"variables", evidence.variables},
              {"variable_notes", evidence.variable_notes},
              {"warnings", evidence.warnings},
              {"lines_read", evidence.lines_read},
              {"lines_torn", evidence.lines_torn}};
}

PathEvidence path_evidence_from(const JsonFields& fields) {
  PathEvidence evidence;
  evidence.path = fields.text("path");
  evidence.state = state_from(fields);
  evidence.pairs_state = state_from(fields, "pairs_state");
  evidence.reason = fields.text_or_empty("reason");
  read_pairs(evidence, fields);
  if (fields.has("variable_notes")) {
    evidence.variable_notes = fields.texts("variable_notes");
  }
  evidence.variables = fields.text_map("variables");
  evidence.warnings = fields.texts("warnings");
  evidence.lines_read = fields.count("lines_read");
  evidence.lines_torn = fields.count("lines_torn");
  return evidence;
}

}  // namespace viaduct
