#include "core/error.hpp"
#include "report/engine_field.hpp"
#include "report/evidence_json.hpp"
#include "report/json_fields.hpp"
#include "report/record_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace viaduct {

namespace {

/// A parser of core, whose message gets the key in front.
template <typename Parse>
auto parsed(const JsonFields& fields, const char* key, Parse parse) {
  try {
    return parse(fields.text(key));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::io) {
      throw;
    }
    throw Error(ErrorKind::io, fmt::format("key '{}': {}", fields.place(key), error.message()));
  }
}

/// Keys that files from before they were there have not.
bool has_value(const JsonFields& fields, const char* key) {
  return fields.has(key) && !fields.is_null(key);
}

Case case_from(const JsonFields& fields) {
  Case c;
  c.operation = fields.text("operation");
  c.size_bytes = fields.count("size_bytes");
  c.datatype = parsed(fields, "datatype", parse_datatype);
  if (!fields.is_null("reduction")) {
    c.reduction = parsed(fields, "reduction", parse_reduce_op);
  }
  c.root = fields.optional_integer("root").value_or(0);
  c.placement = parsed(fields, "placement", parse_placement);
  c.mode = parsed(fields, "mode", parse_mode);
  c.traffic.name = fields.text_or_empty("traffic");
  if (has_value(fields, "window")) {
    c.window = fields.integer("window");
  }
  if (engine_field(fields) == Engine::copy) {
    c.ends.from = fields.optional_integer("from").value_or(CopyEnds::none);
    c.ends.to = fields.optional_integer("to").value_or(CopyEnds::none);
  }
  return c;
}

TimeSummary time_from(const JsonFields& fields) {
  TimeSummary time;
  time.median = fields.number_from_zero("median");
  time.low = fields.number_from_zero("low");
  time.high = fields.number_from_zero("high");
  time.min = fields.number_from_zero("min");
  time.mean = fields.number_from_zero("mean");
  time.p95 = fields.optional_number_from_zero("p95");
  time.p99 = fields.optional_number_from_zero("p99");
  time.max = fields.number_from_zero("max");
  time.cv = fields.number_from_zero("cv");
  time.samples = fields.count("samples");
  time.operations = fields.count("operations");
  return time;
}

std::optional<RankGroup> group_from(const JsonFields& fields) {
  if (!has_value(fields, "group")) {
    return std::nullopt;
  }
  const JsonFields group = fields.object("group");
  return RankGroup{
      group.text("kind"), group.integer("index"), group.text("name"), group.integers("ranks")};
}

void read_times(Measurement& m, const JsonFields& fields) {
  if (!fields.is_null("time_us")) {
    m.time_us = time_from(fields.object("time_us"));
  }
  m.algbw_gbs = fields.optional_number_from_zero("algbw_gbs");
  m.busbw_gbs = fields.optional_number_from_zero("busbw_gbs");
  if (has_value(fields, "messages_per_s")) {
    m.messages_per_s = fields.number_from_zero("messages_per_s");
  }
  if (has_value(fields, "one_way_ratio")) {
    const JsonFields ratio = fields.object("one_way_ratio");
    m.one_way_ratio = OneWayRatio{ratio.number_from_zero("ratio"),
                                  ratio.number_from_zero("low"),
                                  ratio.number_from_zero("high")};
  }
  m.per_rank_median_us = fields.numbers("per_rank_median_us");
  m.slowest_rank = fields.optional_integer("slowest_rank");
  if (!fields.is_null("launches")) {
    const JsonFields launches = fields.object("launches");
    m.launches = LaunchSpread{launches.numbers("medians_us"), launches.number("spread")};
  }
  if (!fields.is_null("samples_us")) {
    m.samples_us = fields.numbers("samples_us");
  }
}

void read_method(Measurement& m, const JsonFields& fields) {
  m.method = parsed(fields, "method", parse_method);
  m.stopped = fields.text_or_empty("stopped");
  m.settled = fields.flag("settled");
  m.batch_operations = fields.count("batch_operations");
  m.replays = fields.count("replays");
  m.slots = fields.count("slots");
  m.memory_bytes = fields.count("memory_bytes");
  m.thinned_by = fields.count("thinned_by");
  m.lanes = fields.text_or_empty("lanes");
  m.buffers.kind = parsed(fields, "buffers", parse_buffer_kind);
  m.buffers.offset_bytes = fields.count("offset_bytes");
  m.allocator = fields.text_or_empty("allocator");
  m.registration = fields.text_or_empty("registration");
  m.first_operation_us = fields.optional_number("first_operation_us").value_or(0);
}

/// Files from before there were limits have null, or no such key.
void read_limit(Measurement& m, const JsonFields& fields) {
  if (fields.has("limit_gbs")) {
    m.limit_gbs = fields.optional_number("limit_gbs");
  }
  if (fields.has("limit_formula")) {
    m.limit_formula = fields.text_or_empty("limit_formula");
  }
}

std::optional<RatioSummary> ratio_from(const JsonFields& fields) {
  if (fields.is_null("ratio")) {
    return std::nullopt;
  }
  const JsonFields ratio = fields.object("ratio");
  return RatioSummary{ratio.number_from_zero("median"),
                      ratio.number_from_zero("low"),
                      ratio.number_from_zero("high"),
                      ratio.count("rounds")};
}

}  // namespace

Measurement measurement_from(const JsonFields& fields) {
  Measurement m;
  m.path = fields.text("path");
  m.engine = engine_field(fields);
  m.c = case_from(fields);
  m.reduces = !fields.is_null("reduction");
  m.has_root = !fields.is_null("root");
  m.count = fields.count("count");
  m.ranks = fields.integer("ranks");
  m.group = group_from(fields);
  m.from = fields.optional_integer("from");
  m.to = fields.optional_integer("to");
  if (has_value(fields, "pair_alone")) {
    m.pair_alone = fields.flag("pair_alone");
  }
  m.pair_class = has_value(fields, "pair_class") ? fields.text("pair_class") : "";
  if (fields.has("legs")) {
    for (const JsonFields& leg : fields.objects("legs")) {
      m.legs.push_back({leg.text("name"), leg.number("median_us")});
    }
  }
  m.status = parsed(fields, "status", parse_status);
  m.reason = fields.text_or_empty("reason");
  m.wrong = fields.optional_count("wrong");
  m.checked = fields.text("checked");
  m.checked_operations = fields.count("checked_operations");
  m.tolerance_ulp = fields.integer("tolerance_ulp");
  read_times(m, fields);
  read_method(m, fields);
  read_evidence(m, fields);
  read_limit(m, fields);
  return m;
}

Verdict verdict_from(const JsonFields& fields) {
  Verdict v;
  v.reference = fields.text("reference");
  v.path = fields.text("path");
  v.engine = engine_field(fields);
  v.c = case_from(fields);
  v.reduces = !fields.is_null("reduction");
  v.has_root = !fields.is_null("root");
  v.ranks = fields.integer("ranks");
  v.group = group_from(fields);
  if (fields.has("from")) {
    v.from = fields.optional_integer("from");
    v.to = fields.optional_integer("to");
  }
  v.method = parsed(fields, "method", parse_method);
  v.ratio = ratio_from(fields);
  v.verdict = fields.text_or_empty("verdict");
  v.reason = fields.text_or_empty("reason");
  return v;
}

GateVerdict gate_verdict_from(const JsonFields& fields) {
  GateVerdict gate;
  gate.name = fields.text("name");
  gate.kind = fields.text("kind");
  gate.state = parsed(fields, "state", parse_gate_state);
  gate.fails = fields.flag("fails");
  gate.reason = fields.text_or_empty("reason");
  gate.rows = fields.count("rows");
  gate.rows_failed = fields.count("rows_failed");
  gate.rows_unclear = fields.count("rows_unclear");
  gate.rows_skipped = fields.count("rows_skipped");
  return gate;
}

End end_from(const JsonFields& fields) {
  End end;
  end.status = fields.text("status");
  end.exit_code = fields.integer("exit_code");
  end.reason = fields.text_or_empty("reason");
  end.elapsed_s = fields.number("elapsed_s");
  end.measurements = fields.count("measurements");
  end.skipped = fields.count("skipped");
  end.lost = fields.count("lost");
  end.wrong = fields.count("wrong");
  return end;
}

}  // namespace viaduct
