#pragma once
// Two sides compared, case by case: what matches, whether it may be compared, and what it comes to.

#include "compare/compared_side.hpp"
#include "compare/configuration.hpp"
#include "compare/judge_point.hpp"
#include "core/exit_code.hpp"

#include <string>
#include <vector>

namespace viaduct {

struct ComparisonOptions {
  double margin = 0.02;
  double confidence = 0.95;
  std::optional<double> launch_deviation;
  std::vector<std::string> allowed;  ///< words of --allow
};

struct ComparedRow {
  PointKey key;
  ComparedPoint a;
  ComparedPoint b;
  LaunchNoise noise;
  PointVerdict verdict;
};

struct Comparison {
  std::string a;
  std::string b;
  ComparisonOptions options;
  bool is_one_launch = false;
  std::size_t family = 0;  ///< rows with a basis: as many verdicts at once
  std::vector<ComparedRow> rows;
  std::vector<PointKey> only_in_a;
  std::vector<PointKey> only_in_b;
  ConfigurationCheck configuration;
  std::vector<std::string> notes;
};

/// Throws Error(usage) when the sides differ in what is not allowed, when busbw / algbw of a case
/// says that the ranks differ, or when no case is on both sides.
Comparison compare_sides(ComparedSide a, ComparedSide b, const ComparisonOptions& options);

/// How many rows have that word.
std::size_t count_of(const Comparison& comparison, std::string_view word);

/// 7 for a broken row, 6 for a lost one, 8 for a regression, else 0.
ExitCode exit_code(const Comparison& comparison);

}  // namespace viaduct
