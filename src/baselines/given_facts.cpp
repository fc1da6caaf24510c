#include "baselines/given_facts.hpp"

#include "baselines/operation_name.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"
#include "core/size_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace viaduct {
namespace {

[[noreturn]] void refuse(const Baseline& baseline, const std::string& what) {
  throw Error(ErrorKind::usage, fmt::format("{}: {}", baseline.file, what));
}

std::string given_words(const GivenFacts& given) {
  std::string words = given.ranks ? fmt::format("--ranks {}", *given.ranks) : "";
  if (!given.operation.empty()) {
    words += (words.empty() ? "" : " ") + fmt::format("--operation {}", given.operation);
  }
  return words;
}

void give_ranks(const GivenFacts& given, const Baseline& baseline, BaselineRun& run) {
  if (!given.ranks) {
    return;
  }
  for (const BaselineRow& row : run.rows) {
    const std::optional<int> said = row.ranks ? row.ranks : run.ranks;
    if (said && *said != *given.ranks) {
      refuse(baseline, fmt::format("--ranks {}: the source itself says {}", *given.ranks, *said));
    }
  }
  if (!run.ranks) {
    run.notes.push_back(
        {"UNKNOWN",
         fmt::format("the source does not say how many ranks ran; {} as given", *given.ranks)});
  }
  run.ranks = given.ranks;
}

void give_operation(const GivenFacts& given, const Baseline& baseline, BaselineRun& run) {
  if (given.operation.empty()) {
    return;
  }
  bool is_said = true;
  for (BaselineRow& row : run.rows) {
    is_said = is_said && !row.operation.empty();
    if (!row.operation.empty() && row.operation != given.operation) {
      refuse(baseline,
             fmt::format("--operation {}: {} {}",
                         given.operation,
                         run.operation_is_deduced ? "columns, sizes and factors of the source give"
                                                  : "the source itself says",
                         row.operation));
    }
    row.operation = given.operation;
  }
  if (!is_said) {
    run.notes.push_back(
        {"UNKNOWN",
         fmt::format("the source does not say which operation ran; {} as given", given.operation)});
  }
  run.operation = given.operation;
}

/// Both rates are rounded, to two decimals or, in some versions, to one.
bool fits(double found, double expected, double algbw_gbs) {
  constexpr double share = 0.01;
  constexpr double rounding_gbs = 0.05;
  return std::abs(found - expected) <= share * expected + rounding_gbs / algbw_gbs;
}

void check_factors(const GivenFacts& given, const Baseline& baseline, const BaselineRun& run) {
  constexpr double least_told_gbs = 0.5;  // below it the decimals say too little
  for (const BaselineRow& row : run.rows) {
    const std::optional<int> ranks = row.ranks ? row.ranks : run.ranks;
    const std::optional<double> expected =
        ranks ? bus_factor_of(row.operation, *ranks) : std::nullopt;
    for (const BaselineTimes* cell : cells_of(row)) {
      const double algbw = cell->algbw_gbs.value_or(0);
      if (!expected || !cell->busbw_gbs || algbw < least_told_gbs ||
          fits(*cell->busbw_gbs / algbw, *expected, algbw)) {
        continue;
      }
      refuse(baseline,
             fmt::format("{}: busbw / algbw is {:.3f}{}{}, {} on {} ranks gives {:.3f}",
                         given_words(given),
                         *cell->busbw_gbs / algbw,
                         row.size_bytes ? " at " + format_size(*row.size_bytes) : "",
                         row.line > 0 ? fmt::format(" (line {})", row.line) : "",
                         row.operation,
                         *ranks,
                         *expected));
    }
  }
}

/// One rank has no busbw: who says so contradicts every row that has one.
void check_alone(const GivenFacts& given, const Baseline& baseline, const BaselineRun& run) {
  const std::optional<double> peak = peak_busbw(run);
  if (given.ranks == 1 && peak.value_or(0) > 0) {
    refuse(baseline,
           fmt::format("--ranks 1: one rank alone has busbw 0, the source has up to {:.6g} GB/s",
                       *peak));
  }
}

}  // namespace

void apply_given(const GivenFacts& given, Baseline& baseline) {
  GivenFacts named = given;
  if (!given.operation.empty()) {
    named.operation = operation_of(given.operation);
    if (named.operation.empty()) {
      throw Error(ErrorKind::usage,
                  unknown_name_message("operation", given.operation, operation_names()));
    }
  }
  if (!named.ranks && named.operation.empty()) {
    return;
  }
  for (BaselineRun& run : baseline.runs) {
    if (run.refusal.empty()) {
      give_ranks(named, baseline, run);
      give_operation(named, baseline, run);
      check_alone(named, baseline, run);
      check_factors(named, baseline, run);
    }
  }
}

}  // namespace viaduct
