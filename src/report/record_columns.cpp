#include "report/record_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace viaduct {

namespace {

using Row = RecordRow;

std::string number(double value) {
  return fmt::format("{}", value);
}

std::string text(const std::optional<double>& value) {
  return value ? number(*value) : "";
}

std::string text(const std::optional<int>& value) {
  return value ? fmt::format("{}", *value) : "";
}

std::string text(const std::optional<std::uint64_t>& value) {
  return value ? fmt::format("{}", *value) : "";
}

template <double TimeSummary::*member>
std::string time_text(const Row& row) {
  return row.measurement->time_us ? number((*row.measurement->time_us).*member) : "";
}

template <std::optional<double> TimeSummary::*member>
std::string optional_time_text(const Row& row) {
  return row.measurement->time_us ? text((*row.measurement->time_us).*member) : "";
}

template <std::uint64_t TimeSummary::*member>
std::string time_count(const Row& row) {
  return row.measurement->time_us ? fmt::format("{}", (*row.measurement->time_us).*member) : "";
}

template <std::uint64_t Measurement::*member>
std::string count_text(const Row& row) {
  return fmt::format("{}", row.measurement->*member);
}

template <std::string Measurement::*member>
std::string word(const Row& row) {
  return row.measurement->*member;
}

template <double RatioSummary::*member>
std::string ratio_text(const Row& row) {
  return row.verdict != nullptr && row.verdict->ratio ? number((*row.verdict->ratio).*member) : "";
}

/// "device_to_host=43.1 mpi=210 host_to_device=44": each by itself.
std::string legs_text(const Row& row) {
  std::string text;
  for (const Leg& leg : row.measurement->legs) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", leg.name, leg.median_us);
  }
  return text;
}

template <double OneWayRatio::*member>
std::string one_way_text(const Row& row) {
  const std::optional<OneWayRatio>& ratio = row.measurement->one_way_ratio;
  return ratio ? number((*ratio).*member) : "";
}

/// Of a rank of the launch; "" where it is none: on the copy engine from and to are GPUs.
std::string host_of(const Row& row, const std::optional<int>& rank) {
  const std::vector<RankInfo>& ranks = row.result->manifest.rank_info;
  const bool is_known = row.measurement->engine != Engine::copy && rank && *rank >= 0 &&
                        static_cast<std::size_t>(*rank) < ranks.size();
  return is_known ? ranks[static_cast<std::size_t>(*rank)].host : "";
}

/// What identifies the case.
constexpr RecordColumn case_columns[] = {
    {"file", false, [](const Row& r) { return r.result->file; }},
    {"started_at", false, [](const Row& r) { return r.result->manifest.started_at; }},
    {"run_status", false, [](const Row& r) { return run_status(*r.result); }},
    {"plan", false, [](const Row& r) { return r.result->manifest.plan; }},
    {"path", false, &word<&Measurement::path>},
    {"engine", false, [](const Row& r) { return std::string(name(r.measurement->engine)); }},
    {"operation", false, [](const Row& r) { return r.measurement->c.operation; }},
    {"size_bytes",
     true,
     [](const Row& r) { return fmt::format("{}", r.measurement->c.size_bytes); }},
    {"count", true, &count_text<&Measurement::count>},
    {"datatype", false, [](const Row& r) { return std::string(name(r.measurement->c.datatype)); }},
    {"reduction",
     false,
     [](const Row& r) {
       return std::string(r.measurement->reduces ? name(r.measurement->c.reduction) : "");
     }},
    {"root",
     true,
     [](const Row& r) {
       return r.measurement->has_root ? fmt::format("{}", r.measurement->c.root) : "";
     }},
    {"placement",
     false,
     [](const Row& r) { return std::string(name(r.measurement->c.placement)); }},
    {"mode", false, [](const Row& r) { return std::string(name(r.measurement->c.mode)); }},
    {"traffic", false, [](const Row& r) { return r.measurement->c.traffic.name; }},
    {"ranks", true, [](const Row& r) { return fmt::format("{}", r.measurement->ranks); }},
    {"group_kind",
     false,
     [](const Row& r) { return r.measurement->group ? r.measurement->group->kind : ""; }},
    {"group",
     false,
     [](const Row& r) { return r.measurement->group ? r.measurement->group->name : ""; }},
    {"from_rank", true, [](const Row& r) { return text(r.measurement->from); }},
    {"to_rank", true, [](const Row& r) { return text(r.measurement->to); }},
    {"from_host", false, [](const Row& r) { return host_of(r, r.measurement->from); }},
    {"to_host", false, [](const Row& r) { return host_of(r, r.measurement->to); }},
    {"pair_class", false, &word<&Measurement::pair_class>},
    {"pair_alone",
     false,
     [](const Row& r) {
       const std::optional<bool> alone = r.measurement->pair_alone;
       return std::string(!alone ? "" : *alone ? "true" : "false");
     }},
    {"window",
     true,
     [](const Row& r) {
       return r.measurement->c.window > 0 ? fmt::format("{}", r.measurement->c.window) : "";
     }},
};

/// What came out.
constexpr RecordColumn value_columns[] = {
    {"status", false, [](const Row& r) { return std::string(name(r.measurement->status)); }},
    {"reason", false, &word<&Measurement::reason>},
    {"time_median_us", true, &time_text<&TimeSummary::median>},
    {"time_low_us", true, &time_text<&TimeSummary::low>},
    {"time_high_us", true, &time_text<&TimeSummary::high>},
    {"time_min_us", true, &time_text<&TimeSummary::min>},
    {"time_mean_us", true, &time_text<&TimeSummary::mean>},
    {"time_p95_us", true, &optional_time_text<&TimeSummary::p95>},
    {"time_p99_us", true, &optional_time_text<&TimeSummary::p99>},
    {"time_max_us", true, &time_text<&TimeSummary::max>},
    {"time_cv", true, &time_text<&TimeSummary::cv>},
    {"samples", true, &time_count<&TimeSummary::samples>},
    {"operations", true, &time_count<&TimeSummary::operations>},
    {"algbw_gbs", true, [](const Row& r) { return text(r.measurement->algbw_gbs); }},
    {"busbw_gbs", true, [](const Row& r) { return text(r.measurement->busbw_gbs); }},
    {"messages_per_s", true, [](const Row& r) { return text(r.measurement->messages_per_s); }},
    {"one_way_ratio", true, &one_way_text<&OneWayRatio::ratio>},
    {"one_way_ratio_low", true, &one_way_text<&OneWayRatio::low>},
    {"one_way_ratio_high", true, &one_way_text<&OneWayRatio::high>},
    {"limit_gbs", true, [](const Row& r) { return text(r.measurement->limit_gbs); }},
    {"limit_formula", false, &word<&Measurement::limit_formula>},
    {"limit_share",
     true,
     [](const Row& r) {
       const Measurement& m = *r.measurement;
       return m.busbw_gbs && m.limit_gbs.value_or(0) > 0 ? number(*m.busbw_gbs / *m.limit_gbs) : "";
     }},
    {"wrong_elements", true, [](const Row& r) { return text(r.measurement->wrong); }},
    {"checked", false, &word<&Measurement::checked>},
    {"checked_operations", true, &count_text<&Measurement::checked_operations>},
    {"tolerance_ulp",
     true,
     [](const Row& r) { return fmt::format("{}", r.measurement->tolerance_ulp); }},
    {"legs_us", false, &legs_text},
    {"slowest_rank", true, [](const Row& r) { return text(r.measurement->slowest_rank); }},
    {"launches",
     true,
     [](const Row& r) {
       return r.measurement->launches
                  ? fmt::format("{}", r.measurement->launches->medians_us.size())
                  : "";
     }},
    {"launch_spread",
     true,
     [](const Row& r) {
       return r.measurement->launches ? number(r.measurement->launches->spread) : "";
     }},
};

/// Which way the bytes took, and the path against the first one.
constexpr RecordColumn judged_columns[] = {
    {"reference",
     false,
     [](const Row& r) { return r.verdict == nullptr ? "" : r.verdict->reference; }},
    {"ratio_median", true, &ratio_text<&RatioSummary::median>},
    {"ratio_low", true, &ratio_text<&RatioSummary::low>},
    {"ratio_high", true, &ratio_text<&RatioSummary::high>},
    {"verdict", false, [](const Row& r) { return r.verdict == nullptr ? "" : r.verdict->verdict; }},
    {"verdict_reason",
     false,
     [](const Row& r) { return r.verdict == nullptr ? "" : r.verdict->reason; }},
    {"evidence_state",
     false,
     [](const Row& r) {
       return std::string(r.measurement->evidence ? name(r.measurement->evidence->state) : "");
     }},
    {"evidence_by",
     false,
     [](const Row& r) { return r.measurement->evidence ? r.measurement->evidence->by : ""; }},
    {"evidence_reason",
     false,
     [](const Row& r) { return r.measurement->evidence ? r.measurement->evidence->reason : ""; }},
    {"algorithm",
     false,
     [](const Row& r) {
       return r.measurement->algorithm ? r.measurement->algorithm->algorithm : "";
     }},
    {"protocol",
     false,
     [](const Row& r) {
       return r.measurement->algorithm ? r.measurement->algorithm->protocol : "";
     }},
    {"channels",
     true,
     [](const Row& r) {
       return r.measurement->algorithm && r.measurement->algorithm->channels > 0
                  ? fmt::format("{}", r.measurement->algorithm->channels)
                  : "";
     }},
    {"health", false, &word<&Measurement::health>},
};

/// How it was measured.
constexpr RecordColumn method_columns[] = {
    {"method", false, [](const Row& r) { return std::string(name(r.measurement->method)); }},
    {"stopped", false, &word<&Measurement::stopped>},
    {"settled",
     false,
     [](const Row& r) { return std::string(r.measurement->settled ? "true" : "false"); }},
    {"batch_operations", true, &count_text<&Measurement::batch_operations>},
    {"replays", true, &count_text<&Measurement::replays>},
    {"slots", true, &count_text<&Measurement::slots>},
    {"memory_bytes", true, &count_text<&Measurement::memory_bytes>},
    {"thinned_by", true, &count_text<&Measurement::thinned_by>},
    {"lanes", false, &word<&Measurement::lanes>},
    {"buffers", false, [](const Row& r) { return std::string(name(r.measurement->buffers.kind)); }},
    {"offset_bytes",
     true,
     [](const Row& r) { return fmt::format("{}", r.measurement->buffers.offset_bytes); }},
    {"allocator", false, &word<&Measurement::allocator>},
    {"registration", false, &word<&Measurement::registration>},
    {"first_operation_us",
     true,
     [](const Row& r) {
       return r.measurement->first_operation_us > 0 ? number(r.measurement->first_operation_us)
                                                    : "";
     }},
};

}  // namespace

const std::vector<RecordColumn>& record_columns() {
  static const std::vector<RecordColumn> columns = [] {
    std::vector<RecordColumn> all;
    all.insert(all.end(), std::begin(case_columns), std::end(case_columns));
    all.insert(all.end(), std::begin(value_columns), std::end(value_columns));
    all.insert(all.end(), std::begin(judged_columns), std::end(judged_columns));
    all.insert(all.end(), std::begin(method_columns), std::end(method_columns));
    return all;
  }();
  return columns;
}

bool is_known(const Manifest& manifest, const std::string& key) {
  return std::find(manifest.not_known.begin(), manifest.not_known.end(), key) ==
         manifest.not_known.end();
}

std::string column_text(const RecordColumn& column, const RecordRow& row) {
  return is_known(row.result->manifest, column.name) ? column.text(row) : "";
}

std::string run_status(const Result& result) {
  return result.end ? result.end->status : "partial";
}

}  // namespace viaduct
