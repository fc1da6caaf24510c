#include "compare/judge_point.hpp"

#include "stats/distributions.hpp"
#include "stats/mann_whitney.hpp"
#include "stats/order_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viaduct {
namespace {

enum class Basis { none, launches, samples, intervals };

std::vector<double> log_samples(const ComparedPoint& point) {
  std::vector<double> logs;
  for (const double sample : thin(point.samples, thinning_step(point.samples))) {
    if (sample > 0) {
      logs.push_back(std::log(sample));
    }
  }
  return logs;
}

/// What a pair can be judged by, worked out once.
struct Grounds {
  Basis basis = Basis::none;
  std::vector<double> a;  ///< logs of independent samples; only Basis::samples
  std::vector<double> b;
};

bool take_samples(const PointPair& pair, Grounds& grounds) {
  if (pair.a->sample_kind != pair.b->sample_kind || pair.a->samples.size() < least_samples ||
      pair.b->samples.size() < least_samples) {
    return false;
  }
  grounds.a = log_samples(*pair.a);
  grounds.b = log_samples(*pair.b);
  return grounds.a.size() >= least_samples && grounds.b.size() >= least_samples;
}

Grounds grounds_of(const PointPair& pair, const LaunchNoise& noise) {
  Grounds grounds;
  if (!log_ratio(pair)) {
    return grounds;
  }
  if (noise.source == LaunchNoise::Source::launches) {
    grounds.basis = Basis::launches;
  } else if (take_samples(pair, grounds)) {
    grounds.basis = Basis::samples;
  } else if (pair.a->within && pair.b->within) {
    grounds.basis = Basis::intervals;
  }
  return grounds;
}

const char* basis_name(Basis basis) {
  switch (basis) {
    case Basis::launches:
      return "launches";
    case Basis::samples:
      return "samples";
    case Basis::intervals:
      return "intervals";
    case Basis::none:
      break;
  }
  return "";
}

double two_sided_t(double confidence, double degrees) {
  const double upper = 1 - (1 - confidence) / 2;
  return degrees > 0 ? student_quantile(upper, degrees) : normal_quantile(upper);
}

std::vector<double> logs_of(const ComparedPoint& point) {
  std::vector<double> logs;
  for (const double launch : point.launches) {
    logs.push_back(std::log(launch));
  }
  if (logs.empty()) {
    logs.push_back(std::log(*point.value));
  }
  return logs;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

/// An estimate of log(B / A), and the half width of its interval at a confidence; no half width:
/// that confidence cannot be had.
struct Estimate {
  double centre = 0;
  std::optional<double> half;
};

/// Launch i of both sides ran alternately: what differs between launches drops out.
Estimate by_paired_launches(const std::vector<double>& a,
                            const std::vector<double>& b,
                            double confidence) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) {
    differences.push_back(b[i] - a[i]);
  }
  const double mean = mean_of(differences);
  double squares = 0;
  for (const double difference : differences) {
    squares += (difference - mean) * (difference - mean);
  }
  const auto count = static_cast<double>(differences.size());
  return {mean, two_sided_t(confidence, count - 1) * std::sqrt(squares / (count - 1) / count)};
}

Estimate by_launches(const PointPair& pair,
                     const LaunchNoise& noise,
                     const JudgeOptions& options,
                     double confidence) {
  constexpr std::size_t least_pairs = 3;
  const std::vector<double> a = logs_of(*pair.a);
  const std::vector<double> b = logs_of(*pair.b);
  if (options.is_one_launch && a.size() == b.size() && a.size() >= least_pairs) {
    return by_paired_launches(a, b, confidence);
  }
  const double share = 1 / static_cast<double>(a.size()) + 1 / static_cast<double>(b.size());
  return {mean_of(b) - mean_of(a),
          two_sided_t(confidence, noise.degrees) * noise.deviation * std::sqrt(share)};
}

/// What two launches may differ by although nothing changed.
double between_launches(const LaunchNoise& noise, const JudgeOptions& options, double confidence) {
  if (options.is_one_launch) {
    return 0;
  }
  const double least = options.launch_deviation.value_or(least_launch_deviation);
  const double known = two_sided_t(confidence, 0) * least;
  return std::sqrt(2.0) * std::max(known, two_sided_t(confidence, noise.degrees) * noise.deviation);
}

/// A 95 % interval of a median as half a width at another confidence, as for a mean of so many.
double half_of(const ComparedPoint& point, double confidence) {
  const double degrees = std::max<double>(1, static_cast<double>(point.within_samples) - 1);
  const double half = std::max(std::log(point.within->high / *point.value),
                               std::log(*point.value / point.within->low));
  return std::max(half, 0.0) * two_sided_t(confidence, degrees) / two_sided_t(0.95, degrees);
}

Estimate estimate(const PointPair& pair,
                  const Grounds& grounds,
                  const LaunchNoise& noise,
                  const JudgeOptions& options,
                  double confidence) {
  if (grounds.basis == Basis::launches) {
    return by_launches(pair, noise, options, confidence);
  }
  const double launches = between_launches(noise, options, confidence);
  if (grounds.basis == Basis::samples) {
    const auto shift = hodges_lehmann(grounds.a, grounds.b, confidence);
    return shift ? Estimate{shift->median, std::hypot(shift->half_width, launches)}
                 : Estimate{*log_ratio(pair), std::nullopt};
  }
  return {*log_ratio(pair),
          std::hypot(half_of(*pair.a, confidence), half_of(*pair.b, confidence), launches)};
}

std::optional<Interval> interval_of(const Estimate& estimate) {
  if (!estimate.half) {
    return std::nullopt;
  }
  return Interval{std::exp(estimate.centre - *estimate.half),
                  std::exp(estimate.centre + *estimate.half)};
}

std::string percent_slower(double ratio) {
  return fmt::format("{:.2f} % {}", 100 * std::abs(ratio - 1), ratio >= 1 ? "slower" : "faster");
}

/// Sets word and reason by the intervals.
void decide(PointVerdict& verdict, const JudgeOptions& options) {
  const double above = 1 + options.margin;
  const double below = 1 / above;
  const std::string by = "B is " + percent_slower(*verdict.ratio);
  if (verdict.family && verdict.family->low > above) {
    verdict.word = "regression";
    verdict.reason = by;
  } else if (verdict.family && verdict.family->high < below) {
    verdict.word = "improvement";
    verdict.reason = by;
  } else if (verdict.single && verdict.single->low >= below && verdict.single->high <= above) {
    verdict.word = "same";
    verdict.reason = by + ", within the margin";
  } else {
    verdict.word = "unclear";
    const bool stands_alone =
        verdict.single && (verdict.single->low > above || verdict.single->high < below);
    verdict.reason =
        !verdict.single ? "too few samples for an interval"
        : stands_alone
            ? fmt::format(
                  "{}: beyond the margin by itself, not surely among {} cases", by, options.family)
            : by + ", and the interval lies across an edge of the margin";
  }
}

/// Verdicts that need no time. Empty word: none of them.
PointVerdict without_times(const PointPair& pair) {
  PointVerdict verdict;
  const bool a_is_wrong = pair.a->status == Status::wrong;
  if (a_is_wrong || pair.b->status == Status::wrong) {
    const ComparedPoint& wrong = pair.b->status == Status::wrong ? *pair.b : *pair.a;
    verdict.word = "broken";
    verdict.reason = fmt::format("{} has wrong data: {}",
                                 &wrong == pair.b ? (a_is_wrong ? "each side" : "B") : "A",
                                 wrong.reason);
  } else if (pair.a->value &&
             (pair.b->status == Status::lost || pair.b->status == Status::skipped)) {
    verdict.word = pair.b->status == Status::lost ? "lost" : "unclear";
    verdict.reason = fmt::format("B was {}: {}", name(pair.b->status), pair.b->reason);
  } else if (!log_ratio(pair)) {
    verdict.word = "unclear";
    verdict.reason = fmt::format("{} has no time", pair.a->value ? "B" : "A");
  }
  return verdict;
}

}  // namespace

bool has_basis(const PointPair& pair, const LaunchNoise& noise) {
  return without_times(pair).word.empty() && grounds_of(pair, noise).basis != Basis::none;
}

PointVerdict judge_point(const PointPair& pair,
                         const LaunchNoise& noise,
                         const JudgeOptions& options) {
  PointVerdict verdict = without_times(pair);
  if (const std::optional<double> ratio = log_ratio(pair)) {
    verdict.ratio = std::exp(*ratio);
  }
  if (!verdict.word.empty()) {
    return verdict;
  }
  const Grounds grounds = grounds_of(pair, noise);
  verdict.basis = basis_name(grounds.basis);
  if (grounds.basis == Basis::none) {
    verdict.word = "unclear";
    verdict.reason = "one number on a side, no samples, intervals or launches: a point ratio only";
    return verdict;
  }
  const double alone = 0.95;
  const double at_once =
      1 - (1 - options.confidence) / static_cast<double>(std::max<std::size_t>(1, options.family));
  const Estimate single = estimate(pair, grounds, noise, options, alone);
  verdict.ratio = std::exp(single.centre);
  verdict.single = interval_of(single);
  verdict.family = interval_of(estimate(pair, grounds, noise, options, at_once));
  if (grounds.basis == Basis::samples) {
    verdict.mann_whitney_p = mann_whitney_p(grounds.a, grounds.b);
  }
  decide(verdict, options);
  return verdict;
}

}  // namespace viaduct
