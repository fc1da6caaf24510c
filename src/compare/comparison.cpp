#include "compare/comparison.hpp"

#include "core/error.hpp"
#include "stats/order_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace viaduct {
namespace {

std::set<std::string> words_in(const ComparedSide& side, std::string PointKey::*word) {
  std::set<std::string> words;
  for (const auto& [key, point] : side.points) {
    words.insert(key.*word);
  }
  return words;
}

/// A table that does not name its operation is taken to be of the other side's, where that has one
/// only: said in a note.
void adopt_operation(ComparedSide& side, const ComparedSide& other) {
  const std::set<std::string> theirs = words_in(other, &PointKey::operation);
  if (words_in(side, &PointKey::operation) != std::set<std::string>{""} || theirs.size() != 1 ||
      theirs.count("") == 1) {
    return;
  }
  std::map<PointKey, ComparedPoint> points;
  for (auto& [key, point] : side.points) {
    PointKey named = key;
    named.operation = *theirs.begin();
    points[named] = std::move(point);
  }
  side.points = std::move(points);
  side.notes.push_back(
      fmt::format("{} does not say which operation ran; taken as {}, that of the other side",
                  side.label,
                  *theirs.begin()));
}

void refuse_unchosen_paths(const ComparedSide& a, const ComparedSide& b) {
  const std::set<std::string> ours = words_in(a, &PointKey::path);
  const std::set<std::string> theirs = words_in(b, &PointKey::path);
  const bool a_is_open = ours.count("") == 0;
  const bool b_is_open = theirs.count("") == 0;
  if (a_is_open == b_is_open) {
    return;
  }
  std::string known;
  for (const std::string& path : a_is_open ? ours : theirs) {
    known += (known.empty() ? "" : ", ") + path;
  }
  const std::string& file = a_is_open ? a.label : b.label;
  throw Error(ErrorKind::usage,
              fmt::format("{} has several paths ({}); name one, as in {}:{}",
                          file,
                          known,
                          file,
                          *(a_is_open ? ours : theirs).begin()));
}

void refuse_unequal(const ConfigurationCheck& check, const Comparison& comparison) {
  if (check.refused.empty()) {
    return;
  }
  std::string what;
  std::string words;
  bool can_allow = true;
  const std::vector<std::string> allowable = allowable_words();
  for (const std::string& difference : check.refused) {
    const std::string word = difference.substr(0, difference.find(':'));
    what += (what.empty() ? "" : "; ") + difference;
    words += (words.empty() ? "" : ",") + word;
    can_allow = can_allow && std::find(allowable.begin(), allowable.end(), word) != allowable.end();
  }
  throw Error(ErrorKind::usage,
              fmt::format("{} and {} were not measured alike ({}); {}",
                          comparison.a,
                          comparison.b,
                          what,
                          can_allow ? "to compare them all the same: --allow " + words
                                    : "their numbers say nothing of each other"));
}

std::optional<double> factor_of(const ComparedPoint& point) {
  // Two decimals of a small number say nothing of a quotient.
  constexpr double least_gbs = 0.5;
  const bool is_told = point.algbw_gbs.value_or(0) >= least_gbs && point.busbw_gbs;
  return is_told ? std::optional(*point.busbw_gbs / *point.algbw_gbs) : std::nullopt;
}

/// Two tables may both not say how many ranks ran; busbw / algbw then does.
void refuse_other_factor(const PointPair& pair, const Comparison& comparison) {
  constexpr double tolerance = 0.05;
  const std::optional<double> a = factor_of(*pair.a);
  const std::optional<double> b = factor_of(*pair.b);
  if (a && b && std::abs(*a - *b) > tolerance * std::max(*a, *b)) {
    throw Error(ErrorKind::usage,
                fmt::format("{} and {} were not measured alike: busbw / algbw of {} is {:.2f} and "
                            "{:.2f}, so the operation or the number of ranks differs",
                            comparison.a,
                            comparison.b,
                            describe(pair.key),
                            *a,
                            *b));
  }
}

std::vector<PointPair> matched(const ComparedSide& a,
                               const ComparedSide& b,
                               Comparison& comparison) {
  std::vector<PointPair> pairs;
  for (const auto& [key, point] : a.points) {
    const auto found = b.points.find(key);
    if (found == b.points.end()) {
      comparison.only_in_a.push_back(key);
    } else {
      pairs.push_back({key, &point, &found->second});
    }
  }
  for (const auto& [key, point] : b.points) {
    if (a.points.count(key) == 0) {
      comparison.only_in_b.push_back(key);
    }
  }
  if (pairs.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("{} and {} have no case in common; the first of each: {} | {}",
                            comparison.a,
                            comparison.b,
                            a.points.empty() ? "none" : describe(a.points.begin()->first),
                            b.points.empty() ? "none" : describe(b.points.begin()->first)));
  }
  return pairs;
}

/// All cases moved together: that may be the launch.
void note_common_shift(Comparison& comparison) {
  constexpr std::size_t least_rows = 4;
  std::vector<double> ratios;
  for (const ComparedRow& row : comparison.rows) {
    if (row.noise.source != LaunchNoise::Source::launches && row.verdict.ratio) {
      ratios.push_back(*row.verdict.ratio);
    }
  }
  if (comparison.is_one_launch || ratios.size() < least_rows) {
    return;
  }
  const double middle = median(ratios);
  if (middle > 1 + comparison.options.margin || middle < 1 / (1 + comparison.options.margin)) {
    comparison.notes.push_back(fmt::format(
        "half of the {} cases of one launch each have a ratio of {:.3g} or {}, all one way: one "
        "launch cannot tell a change from a launch that is slower as a whole; measure "
        "with --reopen 5, or give repeats: A1,A2,A3 B1,B2,B3",
        ratios.size(),
        middle,
        middle > 1 ? "more" : "less"));
  }
}

void judge_pairs(const std::vector<PointPair>& pairs, Comparison& comparison) {
  const ComparisonOptions& options = comparison.options;
  const std::vector<LaunchNoise> noise = launch_noise(pairs, options.launch_deviation);
  JudgeOptions judge{.margin = options.margin,
                     .confidence = options.confidence,
                     .family = 0,
                     .is_one_launch = comparison.is_one_launch,
                     .launch_deviation = options.launch_deviation};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    judge.family += has_basis(pairs[i], noise[i]) ? 1U : 0U;
  }
  comparison.family = judge.family;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    comparison.rows.push_back(
        {pairs[i].key, *pairs[i].a, *pairs[i].b, noise[i], judge_point(pairs[i], noise[i], judge)});
  }
}

}  // namespace

Comparison compare_sides(ComparedSide a, ComparedSide b, const ComparisonOptions& options) {
  adopt_operation(a, b);
  adopt_operation(b, a);
  Comparison comparison;
  comparison.a = a.label;
  comparison.b = b.label;
  comparison.options = options;
  comparison.is_one_launch = !a.same_launch_as.empty() && a.same_launch_as == b.same_launch_as;
  refuse_unchosen_paths(a, b);
  comparison.configuration = check_configuration(a.configuration, b.configuration, options.allowed);
  refuse_unequal(comparison.configuration, comparison);
  const std::vector<PointPair> pairs = matched(a, b, comparison);
  for (const PointPair& pair : pairs) {
    refuse_other_factor(pair, comparison);
  }
  comparison.notes = a.notes;
  comparison.notes.insert(comparison.notes.end(), b.notes.begin(), b.notes.end());
  judge_pairs(pairs, comparison);
  note_common_shift(comparison);
  return comparison;
}

std::size_t count_of(const Comparison& comparison, std::string_view word) {
  return static_cast<std::size_t>(
      std::count_if(comparison.rows.begin(), comparison.rows.end(), [word](const ComparedRow& row) {
        return row.verdict.word == word;
      }));
}

ExitCode exit_code(const Comparison& comparison) {
  ExitCode code = ExitCode::ok;
  const auto add = [&](std::string_view word, ExitCode of_word) {
    code = count_of(comparison, word) > 0 ? graver(code, of_word) : code;
  };
  add("regression", ExitCode::gate);
  add("lost", ExitCode::lost);
  add("broken", ExitCode::wrong_data);
  return code;
}

}  // namespace viaduct
