#include "report/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viaduct {

namespace {

/// Digits behind the point so that the rounded value has `digits` significant ones.
int decimals_for(double value, int digits) {
  // Rounding can carry into a new digit (999.96 -> 1000), so the exponent is that of the rounded
  // value.
  const double scale = std::pow(10.0, digits - 1 - std::floor(std::log10(value)));
  const double rounded = std::round(value * scale) / scale;
  const int exponent = static_cast<int>(std::floor(std::log10(rounded) + 1e-12));
  return std::max(digits - 1 - exponent, 0);
}

}  // namespace

std::string four_digits(double value) {
  constexpr double smallest_plain = 1e-4;
  constexpr int most_decimals = 4;  // keeps columns narrow; the file has every digit
  if (!std::isfinite(value)) {
    return "-";
  }
  if (value == 0) {
    return "0";
  }
  const double magnitude = std::fabs(value);
  if (magnitude < smallest_plain) {
    return fmt::format("{:.1e}", value);
  }
  return fmt::format("{:.{}f}", value, std::min(decimals_for(magnitude, 4), most_decimals));
}

std::string percent_number(double fraction) {
  const double percent = fraction * 100;
  if (!std::isfinite(percent)) {
    return "-";
  }
  const double magnitude = std::fabs(percent);
  const int decimals = magnitude < 9.995 ? 2 : (magnitude < 99.95 ? 1 : 0);
  return fmt::format("{:.{}f}", percent, decimals);
}

}  // namespace viaduct
