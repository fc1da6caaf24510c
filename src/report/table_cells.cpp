#include "report/table_cells.hpp"

#include "report/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace viaduct {

namespace {

std::string number_or_dash(const std::optional<double>& value) {
  return value ? four_digits(*value) : "-";
}

std::string time_cell(const Measurement& m, TableNotes& notes) {
  std::string text = four_digits(m.time_us->median);
  if (!m.settled) {
    notes.use(Mark::unsettled);
    text += "~";
  }
  if (m.evidence && m.evidence->state == EvidenceState::contradicted) {
    notes.use(Mark::contradicted);
    text += "#";
  }
  if (!m.health.empty()) {
    notes.use(Mark::health);
    text += "*";
  }
  return text;
}

/// Half width of the interval, the wider side: the interval need not be symmetric.
std::string interval_cell(const Measurement& m, TableNotes& notes) {
  if (m.time_us && m.time_us->samples < 2) {
    return "-";
  }
  const TimeSummary& time = *m.time_us;
  if (time.median <= 0) {
    return "-";
  }
  notes.use(Mark::interval);
  const double half = std::max(time.high - time.median, time.median - time.low);
  std::string text = percent_number(half / time.median);
  if (has_missed_goal(m)) {
    notes.use(Mark::missed_goal);
    text += "!";
  }
  return text;
}

std::string wrong_cell(const Measurement& m, TableNotes& notes) {
  if (!m.wrong) {
    notes.use(Mark::unchecked);
    return "n/c";
  }
  std::string text = fmt::format("{}", *m.wrong);
  if (m.status == Status::wrong) {
    const std::string reason = m.reason.empty() ? "elements that are not right" : m.reason;
    text += " " + notes.reference("wrong: " + reason);
  }
  return text;
}

std::string ratio_cell(const Verdict* verdict, TableNotes& notes) {
  if (verdict != nullptr && verdict->verdict == "broken") {
    const std::string reason = verdict->reason.empty() ? "wrong data" : verdict->reason;
    return "broken " + notes.reference("broken: " + reason);
  }
  if (verdict == nullptr || !verdict->ratio) {
    return "-";
  }
  notes.use(Mark::ratio);
  if (verdict->verdict == "unproven") {
    notes.use(Mark::unproven);
  }
  const bool is_empty = verdict->verdict == "no-contrast";
  if (is_empty) {
    notes.use(Mark::no_contrast);
  }
  const RatioSummary& ratio = *verdict->ratio;
  return fmt::format("{} [{},{}]{}",
                     four_digits(ratio.median),
                     four_digits(ratio.low),
                     four_digits(ratio.high),
                     is_empty ? "=" : "");
}

std::string spread_cell(const Measurement& m, TableNotes& notes) {
  if (m.launches && m.launches->medians_us.size() < 2) {
    return "-";
  }
  if (!m.launches) {
    return "-";
  }
  notes.use(Mark::spread);
  return percent_number(m.launches->spread);
}

/// busbw / limit in percent.
std::string share_cell(const Measurement& m, TableNotes& notes) {
  const bool is_known = m.busbw_gbs && m.limit_gbs && *m.limit_gbs > 0;
  if (!is_known) {
    return "-";
  }
  notes.use(Mark::share);
  return percent_number(*m.busbw_gbs / *m.limit_gbs);
}

/// A case without numbers: its status over the whole group, and the reason as a note.
std::string status_cell(const Measurement& m, TableNotes& notes) {
  std::string reason = m.reason.empty() ? "no reason was recorded" : m.reason;
  if (m.wrong && *m.wrong > 0) {
    reason = fmt::format("{} elements: {}", *m.wrong, reason);
  }
  return fmt::format(
      "{} {}", name(m.status), notes.reference(fmt::format("{}: {}", name(m.status), reason)));
}

}  // namespace

std::string TableNotes::reference(const std::string& text) {
  const auto [found, is_new] = numbers_.emplace(text, texts_.size() + 1);
  if (is_new) {
    texts_.push_back(text);
  }
  return fmt::format("[{}]", found->second);
}

ExtraColumns extra_columns(const CaseTable& table) {
  ExtraColumns extra;
  for (const CaseRow& row : table.rows) {
    for (const Measurement* m : row.by_path) {
      extra.percentiles = extra.percentiles || (m != nullptr && m->time_us && m->time_us->p95);
      extra.messages = extra.messages || (m != nullptr && m->messages_per_s);
      extra.directions = extra.directions || (m != nullptr && m->one_way_ratio);
      extra.launches = extra.launches || (m != nullptr && m->launches);
      extra.share = extra.share || (m != nullptr && m->limit_gbs);
    }
  }
  return extra;
}

std::vector<TextColumn> path_columns(const ExtraColumns& extra, bool with_ratio) {
  std::vector<TextColumn> columns{{"time", "us"}, {"+-", "%"}};
  if (extra.percentiles) {
    columns.push_back({"p95", "us"});
    columns.push_back({"p99", "us"});
  }
  if (extra.launches) {
    columns.push_back({"spread", "%"});
  }
  columns.push_back({"algbw", "GB/s"});
  columns.push_back({"busbw", "GB/s"});
  if (extra.messages) {
    columns.push_back({"messages", "10^6/s"});
  }
  if (extra.directions) {
    columns.push_back({"both/one", ""});
  }
  if (extra.share) {
    columns.push_back({"share", "%"});
  }
  columns.push_back({"wrong", ""});
  if (with_ratio) {
    columns.push_back({"ratio [low,high]", ""});
  }
  return columns;
}

bool has_missed_goal(const Measurement& measurement) {
  const bool has_interval = measurement.time_us && measurement.time_us->samples >= 2;
  return has_interval && (measurement.stopped == "cap" || measurement.stopped == "interrupted");
}

GroupCells path_cells(const Measurement* measurement,
                      const Verdict* verdict,
                      const ExtraColumns& extra,
                      bool with_ratio,
                      TableNotes& notes) {
  if (measurement == nullptr) {
    notes.use(Mark::no_record);
    return {{}, "-"};
  }
  const Measurement& m = *measurement;
  const bool has_numbers = m.time_us && (m.status == Status::ok || m.status == Status::wrong);
  if (!has_numbers) {
    return {{}, status_cell(m, notes)};
  }
  std::vector<std::string> cells{time_cell(m, notes), interval_cell(m, notes)};
  if (extra.percentiles) {
    cells.push_back(number_or_dash(m.time_us->p95));
    cells.push_back(number_or_dash(m.time_us->p99));
  }
  if (extra.launches) {
    cells.push_back(spread_cell(m, notes));
  }
  cells.push_back(number_or_dash(m.algbw_gbs));
  cells.push_back(number_or_dash(m.busbw_gbs));
  if (extra.messages) {
    cells.push_back(m.messages_per_s ? four_digits(*m.messages_per_s / 1e6) : "-");
  }
  if (extra.directions) {
    notes.use(Mark::directions);
    cells.push_back(m.one_way_ratio ? fmt::format("{:.2f}", m.one_way_ratio->ratio) : "-");
  }
  if (extra.share) {
    cells.push_back(share_cell(m, notes));
  }
  cells.push_back(wrong_cell(m, notes));
  if (with_ratio) {
    cells.push_back(ratio_cell(verdict, notes));
  }
  return {std::move(cells), ""};
}

}  // namespace viaduct
