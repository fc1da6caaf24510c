#pragma once
// How likely it is by chance that so many of a few values are so slow, given their peers. Pure
// statistics of numbers; knows no ranks.

#include <cstddef>
#include <vector>

namespace viaduct {

/// log P(X >= hits) for X binomial of `draws` with probability p. Exact sum up to 200 draws; above,
/// Chernoff's bound exp(-draws KL(hits/draws || p)), which is never too small. 0 for no hits.
double log_binomial_tail(std::size_t draws, std::size_t hits, double p);

/// Median absolute deviation; 0 for no values.
double median_absolute_deviation(const std::vector<double>& values);

/// Normal-consistent scale of a median absolute deviation.
inline constexpr double mad_to_sigma = 1.4826;

/// The largest values of many: above `from`, excesses fall off exponentially with `rate`.
struct ExponentialTail {
  double from = 0;
  double rate = 0;  ///< mean excess, from the median excess so that a few faults do not count
  std::size_t values = 0;  ///< above `from`

  /// What a value exceeds an expected `chance` times.
  [[nodiscard]] double limit(double chance) const;
};

inline constexpr std::size_t least_for_tail = 100;

/// Peaks over threshold (Pickands 1975) with the exponential excess: the largest hundredth of the
/// values, ten at least. Throws Error(internal) for fewer than least_for_tail values.
ExponentialTail exponential_tail(std::vector<double> values);

/// Scale of a Laplace distribution with the spread of these values; more for few of them, whose
/// deviation may be small by luck. 0 for no values.
double laplace_rate(const std::vector<double>& values);

/// Values of a family of which some belong to the one who is judged.
class PeerValues {
 public:
  /// Only values from `least` on will be asked for.
  PeerValues(std::vector<double> all, double least);

  [[nodiscard]] std::size_t size() const { return all_.size(); }

  /// Probability that one value of the peers is `value` or more, where the peers are all but `own`
  /// (a part of all): (count + 1) / (peers + 1), so never 0; beyond their largest it falls off
  /// exponentially, at `least_rate` at least. 1 without peers.
  [[nodiscard]] double share_reaching(double value,
                                      const std::vector<double>& own,
                                      double least_rate) const;

 private:
  [[nodiscard]] double share_among_few(double value,
                                       const std::vector<double>& own,
                                       double least_rate) const;

  std::vector<double> all_;
  double least_ = 0;
  std::vector<double> upper_;  ///< from least_ on, sorted
  double rate_ = 0;            ///< of the fall-off, of all values
};

}  // namespace viaduct
