#pragma once
// The verdict on one compared point: from launches, samples or intervals, and never more than they
// can carry.

#include "compare/launch_noise.hpp"
#include "core/record.hpp"

#include <optional>
#include <string>

namespace viaduct {

struct JudgeOptions {
  double margin = 0.02;                      ///< by which times may differ and still be the same
  double confidence = 0.95;                  ///< that no verdict of all `family` ones is wrong
  std::size_t family = 1;                    ///< verdicts at once
  bool is_one_launch = false;                ///< both points were measured in turn in one launch
  std::optional<double> launch_deviation{};  ///< assumed for one launch each; empty: the defaults
};

/// Samples on each side, after thinning, that a comparison by samples needs.
constexpr std::size_t least_samples = 8;

struct PointVerdict {
  std::string word;  ///< regression, improvement, same, unclear, broken, lost
  std::string reason;
  std::string basis;               ///< launches, samples, intervals; empty: a point ratio only
  std::optional<double> ratio;     ///< B / A, above 1: B is slower
  std::optional<Interval> single;  ///< its 95 % interval, looked at alone
  std::optional<Interval> family;  ///< at which all verdicts hold at once
  std::optional<double> mann_whitney_p;  ///< by samples only
};

/// The first of these that holds:
///
///   broken       B, or A, has wrong data
///   lost         B was lost or skipped where A has a value
///   unclear      no spread is known: neither launches, nor samples, nor intervals on both sides
///   regression   the whole family interval of the ratio lies above 1 + margin
///   improvement  ... below 1 / (1 + margin)
///   same         the single interval lies between these two
///   unclear      the rest
///
/// The interval of the logarithm of the ratio:
///   launches   (at least 2 degrees of freedom over both sides) difference of means of log medians,
///              Student's t; of paired launches where both come from one run
///   samples    Hodges-Lehmann shift of log samples of one launch each (at least 8 on both sides
///              after thinning), widened by the noise between launches unless it is one launch
///   intervals  the two intervals of the medians, widened likewise
PointVerdict judge_point(const PointPair& pair,
                         const LaunchNoise& noise,
                         const JudgeOptions& options);

/// Whether there is anything to judge by, and so a place in the family.
bool has_basis(const PointPair& pair, const LaunchNoise& noise);

}  // namespace viaduct
