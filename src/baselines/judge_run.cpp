#include "baselines/judge_run.hpp"

#include "core/size_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace viaduct {
namespace {

constexpr double most_plausible_gbs = 20000;
constexpr double least_told_gbs = 1;  ///< below it two decimals say too little

using Cell = std::optional<BaselineTimes> BaselineRow::*;

constexpr Cell placements[] = {&BaselineRow::out_of_place, &BaselineRow::in_place};

const char* placement_name(Cell placement) {
  return placement == &BaselineRow::in_place ? "in-place" : "out-of-place";
}

std::string place_of(const BaselineRow& row, Cell placement) {
  const std::string size = row.size_bytes ? format_size(*row.size_bytes) : "unknown size";
  const std::string line = row.line > 0 ? fmt::format(" (line {})", row.line) : "";
  return fmt::format("{} at {}{}", placement_name(placement), size, line);
}

void refuse(BaselineRun& run, const std::string& word, const std::string& why) {
  run.refusal = word;
  run.notes.push_back({word, why});
}

std::string why_no_rows(const RunFacts& facts) {
  std::string why = facts.unreadable.empty() ? "the table has no rows" : facts.unreadable;
  if (!facts.failure.empty()) {
    why = (facts.unreadable.empty() ? "no rows" : why) + "; it ended with: " + facts.failure;
  }
  return why;
}

bool is_single(const BaselineRun& run) {
  if (run.ranks) {
    return *run.ranks == 1;
  }
  const std::optional<double> factor = measured_factor(run);
  return factor && *factor == 0;
}

void name_operation(BaselineRun& run, const KeyColumns& columns) {
  if (run.operation.empty() &&
      std::all_of(run.rows.begin(), run.rows.end(), [](const BaselineRow& row) {
        return row.operation.empty();
      })) {
    run.operation = deduced_operation(run, columns);
    run.operation_is_deduced = !run.operation.empty();
  }
  for (BaselineRow& row : run.rows) {
    row.operation = row.operation.empty() ? run.operation : row.operation;
  }
}

/// Why a cell is no measurement; empty: nothing speaks against it.
std::string implausible(const BaselineRow& row, Cell placement) {
  constexpr double most_times_faster = 10;
  constexpr std::uint64_t least_bytes = std::uint64_t{64} * 1024;
  const BaselineTimes& cell = *(row.*placement);
  const bool is_busbw = cell.busbw_gbs.value_or(0) > most_plausible_gbs;
  if (is_busbw || cell.algbw_gbs.value_or(0) > most_plausible_gbs) {
    return fmt::format("{} {:.6g} GB/s is more than any GPU's memory gives",
                       is_busbw ? "busbw" : "algbw",
                       is_busbw ? *cell.busbw_gbs : *cell.algbw_gbs);
  }
  const bool is_compared = placement == &BaselineRow::in_place && row.out_of_place &&
                           row.size_bytes.value_or(0) >= least_bytes && cell.time_us &&
                           row.out_of_place->time_us;
  if (is_compared && *cell.time_us * most_times_faster < *row.out_of_place->time_us) {
    return fmt::format("{:.6g} us against {:.6g} us out of place: no operation took place",
                       *cell.time_us,
                       *row.out_of_place->time_us);
  }
  return "";
}

void drop_implausible(BaselineRun& run) {
  std::size_t dropped = 0;
  std::string first;
  for (BaselineRow& row : run.rows) {
    for (const Cell placement : placements) {
      const std::string why = row.*placement ? implausible(row, placement) : "";
      if (!why.empty()) {
        first = dropped++ == 0 ? place_of(row, placement) + ": " + why : first;
        (row.*placement).reset();
      }
    }
  }
  if (dropped > 0) {
    run.notes.push_back(
        {"IMPLAUSIBLE",
         first + (dropped == 1 ? "; left out"
                               : fmt::format("; {} such values are left out", dropped))});
  }
}

struct Checks {
  std::size_t cells = 0;
  std::size_t checked = 0;
  std::size_t wrong = 0;
  std::size_t wrong_rows = 0;
  std::string first;
};

/// nccl-tests up to 2.11 failed above this difference.
double most_delta(const std::string& datatype) {
  if (datatype == "float64") {
    return 1e-12;
  }
  return datatype == "float16" || datatype == "bfloat16" ? 1e-2 : 1e-5;
}

Checks checks_of(const BaselineRun& run) {
  Checks checks;
  for (const BaselineRow& row : run.rows) {
    const std::size_t wrong_before = checks.wrong;
    for (const Cell placement : placements) {
      if (!(row.*placement)) {
        continue;
      }
      const BaselineTimes& cell = *(row.*placement);
      const bool is_wrong = has_wrong_data(cell, row.datatype);
      ++checks.cells;
      checks.checked += cell.wrong || cell.largest_delta ? 1U : 0U;
      if (is_wrong && checks.wrong++ == 0) {
        checks.first = place_of(row, placement);
      }
    }
    checks.wrong_rows += checks.wrong > wrong_before ? 1U : 0U;
  }
  return checks;
}

void judge_checks(BaselineRun& run) {
  const Checks checks = checks_of(run);
  const auto& footer = run.out_of_bounds;
  if (checks.wrong > 0) {
    run.notes.push_back(
        {"FAILED",
         fmt::format("wrong data in {} of {} rows ({} {}), first {}{}",
                     checks.wrong_rows,
                     run.rows.size(),
                     checks.wrong,
                     checks.wrong == 1 ? "cell" : "cells",
                     checks.first,
                     footer
                         ? fmt::format("; the footer counts {} checks that failed", footer->count)
                         : "")});
  }
  if (checks.checked == 0 && checks.cells > 0) {
    run.notes.push_back(
        {"NOT_CHECKED",
         fmt::format("no result was compared{}",
                     footer && footer->is_ok ? ", although the footer says OK" : "")});
  } else if (footer && footer->is_ok && checks.wrong > 0) {
    run.notes.push_back({"DISAGREES", "the footer says OK, rows have wrong elements"});
  } else if (footer && !footer->is_ok && checks.wrong == 0) {
    run.notes.push_back(
        {"FAILED",
         fmt::format("the footer counts {} checks that failed, no row has a wrong element",
                     footer->count)});
  }
}

void judge_average(BaselineRun& run) {
  double sum = 0;
  double cells = 0;
  for (const BaselineRow& row : run.rows) {
    for (const BaselineTimes* cell : cells_of(row)) {
      sum += cell->busbw_gbs.value_or(0);
      cells += cell->busbw_gbs ? 1 : 0;
    }
  }
  if (!run.average_busbw || cells == 0) {
    return;
  }
  const double mean = sum / cells;
  if (std::abs(mean - *run.average_busbw) > 0.01 + 0.002 * std::abs(mean)) {
    run.notes.push_back(
        {"DISAGREES",
         fmt::format("the footer's average is {:.6g} GB/s, that of the rows {:.6g}: "
                     "rows are missing or of another run",
                     *run.average_busbw,
                     mean)});
  }
}

void judge_factor(BaselineRun& run) {
  constexpr double tolerance = 0.05;
  const std::optional<double> measured = measured_factor(run);
  if (!measured || !run.ranks || run.operation.empty()) {
    return;
  }
  const std::optional<double> expected = bus_factor_of(run.operation, *run.ranks);
  if (expected && std::abs(*measured - *expected) > tolerance) {
    run.notes.push_back({"DISAGREES",
                         fmt::format("busbw / algbw is {:.3f}; {} on {} ranks gives {:.3f}",
                                     *measured,
                                     run.operation,
                                     *run.ranks,
                                     *expected)});
  }
}

double busbw_at(const BaselineRow& row, Cell placement) {
  return row.*placement ? (row.*placement)->busbw_gbs.value_or(0) : 0;
}

bool follows(const BaselineRow& before, const BaselineRow& row) {
  return before.operation == row.operation && before.datatype == row.datatype &&
         before.reduction == row.reduction && before.root == row.root &&
         before.group == row.group && before.size_bytes < row.size_bytes;
}

void judge_outliers(BaselineRun& run) {
  constexpr double least_share = 0.8;
  std::size_t found = 0;
  std::string first;
  for (std::size_t i = 0; i < run.rows.size(); ++i) {
    const BaselineRow& row = run.rows[i];
    if (i == 0 || i + 1 == run.rows.size() || !follows(run.rows[i - 1], row) ||
        !follows(row, run.rows[i + 1])) {
      continue;
    }
    for (const Cell placement : placements) {
      const Cell other = placement == placements[0] ? placements[1] : placements[0];
      const double here = busbw_at(row, placement);
      const double least = std::min({busbw_at(run.rows[i - 1], placement),
                                     busbw_at(run.rows[i + 1], placement),
                                     busbw_at(row, other)});
      if (here > 0 && least >= least_told_gbs && here < least_share * least && found++ == 0) {
        first = fmt::format("{}: {:.2f} GB/s, beside at least {:.2f} in the cells around it",
                            place_of(row, placement),
                            here,
                            least);
      }
    }
  }
  if (found > 0) {
    run.notes.push_back(
        {"OUTLIER", first + (found == 1 ? "" : fmt::format("; {} such cells in all", found))});
  }
}

}  // namespace

void judge_run(BaselineRun& run, const RunFacts& facts) {
  if (run.rows.empty()) {
    if (run.refusal.empty()) {
      refuse(run, "NO_DATA", why_no_rows(facts));
    }
    return;
  }
  if (!facts.unreadable.empty()) {
    run.notes.push_back({"TORN", facts.unreadable});
  }
  name_operation(run, facts.columns);
  if (run.refusal.empty() && is_single(run)) {
    refuse(run,
           "INVALID_LAUNCH",
           run.ranks ? "one rank alone: busbw is 0 and nothing went between GPUs"
                     : "busbw is 0 in every row: one rank alone, nothing went between GPUs");
  }
  if (!run.refusal.empty()) {
    return;
  }
  judge_average(run);
  drop_implausible(run);
  judge_checks(run);
  judge_factor(run);
  judge_outliers(run);
  if (!facts.failure.empty()) {
    run.notes.push_back({"FAILED", "the run ended with: " + facts.failure});
  }
}

bool has_wrong_data(const BaselineTimes& cell, const std::string& datatype) {
  return cell.wrong.value_or(0) > 0 || cell.largest_delta.value_or(0) > most_delta(datatype);
}

}  // namespace viaduct
