#include "pairs/chance.hpp"

#include "core/error.hpp"
#include "stats/order_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace viaduct {

namespace {

constexpr double ln2 = 0.6931471805599453;
/// Clocks and counters resolve no better: equal values do not make the next digit a sensation.
constexpr double finest_rate = 1e-3;

/// Terms P(X = k) from `hits` on, relative to the first one, which is returned as a logarithm.
double exact_log_tail(std::size_t draws, std::size_t hits, double p) {
  const auto n = static_cast<double>(draws);
  const auto k = static_cast<double>(hits);
  const double first = std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                       k * std::log(p) + (n - k) * std::log1p(-p);
  double sum = 1;
  double term = 1;
  for (std::size_t i = hits; i < draws; ++i) {
    term *= static_cast<double>(draws - i) / static_cast<double>(i + 1) * p / (1 - p);
    sum += term;
  }
  return std::min(first + std::log(sum), 0.0);
}

double chernoff_log_tail(std::size_t draws, std::size_t hits, double p) {
  const auto n = static_cast<double>(draws);
  const double share = static_cast<double>(hits) / n;
  if (share <= p) {
    return 0;
  }
  const double rest = share < 1 ? (1 - share) * std::log((1 - share) / (1 - p)) : 0;
  return -n * (share * std::log(share / p) + rest);
}

double fall_off(const std::vector<double>& values) {
  double rate = std::max(laplace_rate(values), finest_rate);
  if (values.size() >= least_for_tail) {
    rate = std::max(rate, exponential_tail(values).rate);
  }
  return rate;
}

double share_of(std::size_t reaching, std::size_t peers, double beyond, double rate) {
  const double share = static_cast<double>(reaching + 1) / static_cast<double>(peers + 1);
  return beyond > 0 ? share * std::exp(-beyond / rate) : share;
}

std::size_t count_from(const std::vector<double>& sorted, double value) {
  return static_cast<std::size_t>(
      std::distance(std::lower_bound(sorted.begin(), sorted.end(), value), sorted.end()));
}

}  // namespace

double log_binomial_tail(std::size_t draws, std::size_t hits, double p) {
  constexpr std::size_t most_summed = 200;
  if (hits == 0 || p >= 1) {
    return 0;
  }
  const double q = std::max(p, 1e-300);
  return draws <= most_summed ? exact_log_tail(draws, hits, q) : chernoff_log_tail(draws, hits, q);
}

double median_absolute_deviation(const std::vector<double>& values) {
  if (values.empty()) {
    return 0;
  }
  const double middle = median(values);
  std::vector<double> deviations;
  deviations.reserve(values.size());
  for (const double value : values) {
    deviations.push_back(std::fabs(value - middle));
  }
  return median(std::move(deviations));
}

double laplace_rate(const std::vector<double>& values) {
  constexpr double few = 10;
  const auto n = static_cast<double>(values.size());
  return values.empty() ? 0 : median_absolute_deviation(values) / ln2 * (1 + few / n);
}

double ExponentialTail::limit(double chance) const {
  return from + rate * std::max(std::log(static_cast<double>(values) / chance), 0.0);
}

ExponentialTail exponential_tail(std::vector<double> values) {
  if (values.size() < least_for_tail) {
    throw Error(ErrorKind::internal, "the tail of " + std::to_string(values.size()) + " values");
  }
  const std::size_t count = std::max<std::size_t>(values.size() / 100, 10);
  const auto edge = values.end() - static_cast<std::ptrdiff_t>(count) - 1;
  std::nth_element(values.begin(), edge, values.end());
  const double from = *edge;
  std::vector<double> excesses;
  excesses.reserve(count);
  for (auto one = edge + 1; one != values.end(); ++one) {
    excesses.push_back(*one - from);
  }
  return {from, std::max(median(std::move(excesses)) / ln2, finest_rate), count};
}

PeerValues::PeerValues(std::vector<double> all, double least)
    : all_(std::move(all)),
      least_(least),
      rate_(fall_off(all_)) {
  std::copy_if(all_.begin(), all_.end(), std::back_inserter(upper_), [least](double value) {
    return value >= least;
  });
  std::sort(upper_.begin(), upper_.end());
}

double PeerValues::share_among_few(double value,
                                   const std::vector<double>& own,
                                   double least_rate) const {
  std::vector<double> sorted = all_;
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> peers;
  std::set_difference(
      sorted.begin(), sorted.end(), own.begin(), own.end(), std::back_inserter(peers));
  return share_of(count_from(peers, value),
                  peers.size(),
                  value - peers.back(),
                  std::max(fall_off(peers), least_rate));
}

double PeerValues::share_reaching(double value,
                                  const std::vector<double>& own,
                                  double least_rate) const {
  constexpr std::size_t small_part = 20;
  if (own.size() >= all_.size()) {
    return 1;
  }
  std::vector<double> mine = own;
  std::sort(mine.begin(), mine.end());
  if (mine.size() * small_part > all_.size()) {
    return share_among_few(value, mine, least_rate);
  }
  // A small part does not change the fall-off.
  auto largest = upper_.rbegin();
  for (auto one = mine.rbegin(); one != mine.rend() && largest != upper_.rend() && *one == *largest;
       ++one) {
    ++largest;
  }
  // Peers under `least_` are not at hand; they all are at least that far off.
  const double beyond = value - (largest == upper_.rend() ? least_ : *largest);
  return share_of(count_from(upper_, value) - count_from(mine, value),
                  all_.size() - mine.size(),
                  beyond,
                  std::max(rate_, least_rate));
}

}  // namespace viaduct
