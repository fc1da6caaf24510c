#include "stats/mann_whitney.hpp"

#include "core/error.hpp"
#include "stats/distributions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace viaduct {
namespace {

constexpr std::size_t most_for_exact = 20;
/// Differences of each pair are looked at: more samples than this are thinned evenly first.
constexpr std::size_t most_for_shift = 400;

/// P(U <= u) for u = 0, 1, ... of two sets of those sizes that come from one distribution: the
/// number of ways to reach U, by adding one value of either side after the other.
std::vector<double> cumulative_u(std::size_t m, std::size_t n) {
  const std::size_t most = m * n;
  // ways[j][u]: orders of i values of one side and j of the other that give u.
  std::vector<std::vector<double>> ways(n + 1, std::vector<double>(most + 1, 0));
  for (auto& row : ways) {
    row[0] = 1;
  }
  for (std::size_t i = 1; i <= m; ++i) {
    std::vector<std::vector<double>> next(n + 1, std::vector<double>(most + 1, 0));
    next[0][0] = 1;
    for (std::size_t j = 1; j <= n; ++j) {
      for (std::size_t u = 0; u <= i * j; ++u) {
        next[j][u] = next[j - 1][u] + (u >= j ? ways[j][u - j] : 0);
      }
    }
    ways = std::move(next);
  }
  std::vector<double> cumulative = ways[n];
  double total = 0;
  for (double& value : cumulative) {
    total += value;
    value = total;
  }
  for (double& value : cumulative) {
    value /= total;
  }
  return cumulative;
}

struct Ranked {
  double u = 0;     ///< pairs in which b is larger, ties half
  double ties = 0;  ///< sum of t^3 - t over groups of equal values
};

Ranked rank_both(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<std::pair<double, bool>> all;
  all.reserve(a.size() + b.size());
  for (const double value : a) {
    all.emplace_back(value, false);
  }
  for (const double value : b) {
    all.emplace_back(value, true);
  }
  std::sort(all.begin(), all.end());
  Ranked ranked;
  double rank_sum_b = 0;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin;
    double of_b = 0;
    for (; end < all.size() && all[end].first == all[begin].first; ++end) {
      of_b += all[end].second ? 1 : 0;
    }
    const auto equal = static_cast<double>(end - begin);
    rank_sum_b += of_b * (static_cast<double>(begin) + (equal + 1) / 2);
    ranked.ties += equal * equal * equal - equal;
    begin = end;
  }
  const auto n = static_cast<double>(b.size());
  ranked.u = rank_sum_b - n * (n + 1) / 2;
  return ranked;
}

std::vector<double> evenly(const std::vector<double>& samples) {
  if (samples.size() <= most_for_shift) {
    return samples;
  }
  std::vector<double> kept;
  for (std::size_t i = 0; i < most_for_shift; ++i) {
    kept.push_back(samples[i * samples.size() / most_for_shift]);
  }
  return kept;
}

/// How many of the m n sorted differences lie below the interval on each side; empty: the
/// confidence cannot be reached.
std::optional<std::size_t> cut_off(std::size_t m, std::size_t n, double confidence) {
  const double tail = (1 - confidence) / 2;
  if (m <= most_for_exact && n <= most_for_exact) {
    const std::vector<double> cumulative = cumulative_u(m, n);
    std::size_t below = 0;
    while (below < cumulative.size() && cumulative[below] <= tail) {
      ++below;
    }
    return below == 0 ? std::nullopt : std::optional(below - 1);
  }
  const auto pairs = static_cast<double>(m * n);
  const double sigma = std::sqrt(pairs * static_cast<double>(m + n + 1) / 12);
  const double rank = std::floor(pairs / 2 - 0.5 + normal_quantile(tail) * sigma);
  return rank < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(rank));
}

}  // namespace

double mann_whitney_p(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.empty() || b.empty()) {
    return 1;
  }
  const Ranked ranked = rank_both(a, b);
  const auto pairs = static_cast<double>(a.size() * b.size());
  const double smaller = std::min(ranked.u, pairs - ranked.u);
  if (ranked.ties == 0 && a.size() <= most_for_exact && b.size() <= most_for_exact) {
    const std::vector<double> cumulative = cumulative_u(a.size(), b.size());
    return std::min(1.0, 2 * cumulative[static_cast<std::size_t>(smaller)]);
  }
  const auto all = static_cast<double>(a.size() + b.size());
  const double variance = pairs / 12 * (all + 1 - ranked.ties / (all * (all - 1)));
  if (variance <= 0) {
    return 1;
  }
  const double distance = std::max(0.0, pairs / 2 - smaller - 0.5);
  return std::min(1.0, 2 * normal_probability(-distance / std::sqrt(variance)));
}

std::optional<Shift> hodges_lehmann(std::vector<double> a,
                                    std::vector<double> b,
                                    double confidence) {
  if (a.empty() || b.empty()) {
    throw Error(ErrorKind::internal, "shift between no samples");
  }
  a = evenly(a);
  b = evenly(b);
  const std::optional<std::size_t> outside = cut_off(a.size(), b.size(), confidence);
  if (!outside) {
    return std::nullopt;
  }
  std::vector<double> differences;
  differences.reserve(a.size() * b.size());
  for (const double x : a) {
    for (const double y : b) {
      differences.push_back(y - x);
    }
  }
  std::sort(differences.begin(), differences.end());
  Shift shift;
  shift.median = median(differences);
  shift.interval = {differences[*outside], differences[differences.size() - 1 - *outside]};
  shift.half_width =
      std::max(shift.interval.high - shift.median, shift.median - shift.interval.low);
  shift.smaller = std::min(a.size(), b.size());
  return shift;
}

}  // namespace viaduct
