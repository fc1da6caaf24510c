#include "stats/distributions.hpp"

#include <cmath>
#include <string>

namespace viaduct {
namespace {

void need_probability(double p) {
  if (!(p > 0 && p < 1)) {
    throw Error(ErrorKind::internal, "quantile " + std::to_string(p) + " is not in (0, 1)");
  }
}

double away_from_zero(double value) {
  constexpr double tiny = 1e-300;
  return std::abs(value) < tiny ? tiny : value;
}

/// Continued fraction of the incomplete beta function; converges fast for x < (a + 1) / (a + b +
/// 2).
double beta_fraction(double a, double b, double x) {
  constexpr int most_steps = 10000;
  constexpr double precision = 1e-15;
  double c = 1;
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int step = 1; step <= most_steps; ++step) {
    const double m = step;
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    fraction *= d * c;
    if (std::abs(d * c - 1) < precision) {
      break;
    }
  }
  return fraction;
}

/// With y = 1 - x given besides: near x = 1 it would lose its digits.
double incomplete_beta(double a, double b, double x, double y) {
  if (x <= 0 || y <= 0) {
    return x <= 0 ? 0 : 1;
  }
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * (y < 0.5 ? std::log1p(-y) : std::log(x)) +
                                b * (x < 0.5 ? std::log1p(-x) : std::log(y)));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
                                   : 1 - front * beta_fraction(b, a, y) / b;
}

/// The value where a rising function reaches p, by halving an interval that is widened first.
template <typename Function>
double inverse(double p, Function probability) {
  double low = -1;
  double high = 1;
  while (probability(low) > p) {
    low *= 2;
  }
  while (probability(high) < p) {
    high *= 2;
  }
  constexpr int most_steps = 200;
  for (int step = 0; step < most_steps && high - low > 1e-13 * (1 + std::abs(low)); ++step) {
    const double middle = low + (high - low) / 2;
    (probability(middle) < p ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

}  // namespace

double normal_probability(double z) {
  return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

double normal_quantile(double p) {
  need_probability(p);
  return inverse(p, [](double z) { return normal_probability(z); });
}

double student_probability(double t, double degrees) {
  if (!(degrees > 0)) {
    throw Error(ErrorKind::internal, "Student's t with " + std::to_string(degrees) + " degrees");
  }
  const double all = degrees + t * t;
  const double tail = 0.5 * incomplete_beta(degrees / 2, 0.5, degrees / all, t * t / all);
  return t > 0 ? 1 - tail : tail;
}

double student_quantile(double p, double degrees) {
  need_probability(p);
  // By symmetry from the lower tail, where probabilities near 0 keep their digits.
  if (p > 0.5) {
    return -student_quantile(1 - p, degrees);
  }
  return inverse(p, [degrees](double t) { return student_probability(t, degrees); });
}

}  // namespace viaduct
