#include "report/progress_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viaduct {

namespace {

/// "48 s", "3 min 05 s", "2 h 07 min".
std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(std::lround(std::max(seconds, 0.0)));
  if (whole < 120) {
    return fmt::format("{} s", whole);
  }
  if (whole < 7200) {
    return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  }
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace

std::string progress_line(std::size_t done,
                          std::size_t cases,
                          double elapsed_s,
                          double expected_s,
                          const std::string& now) {
  // The case under way is the one after those that have ended.
  const std::size_t current = now.empty() ? done : std::min(done + 1, cases);
  std::string line = fmt::format("case {} of {}, {}", current, cases, duration_text(elapsed_s));
  if (expected_s > 0) {
    // An estimate that was passed is no estimate any more.
    line += fmt::format(" of about {}", duration_text(std::max(expected_s, elapsed_s)));
  }
  return now.empty() ? line : line + ": " + now;
}

}  // namespace viaduct
