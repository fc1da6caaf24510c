#include "core/sweep.hpp"

#include "core/error.hpp"
#include "core/size_text.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace viaduct {
namespace {

constexpr std::size_t most_sizes = 100000;

[[noreturn]] void refuse(const std::string& why) {
  throw Error(ErrorKind::usage, "size sweep: " + why);
}

/// "1.5", without the zeros that std::to_string appends.
std::string number_text(double number) {
  std::string text = std::to_string(number);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') {
      text.pop_back();
    }
  }
  return text;
}

void check(const Sweep& sweep) {
  if (sweep.factor.has_value() == sweep.step_bytes.has_value()) {
    refuse("give either a factor or a step");
  }
  if (sweep.min_bytes > sweep.max_bytes) {
    refuse("the least size " + format_size(sweep.min_bytes) + " is above the largest " +
           format_size(sweep.max_bytes));
  }
  // Written so that a factor that is not a number fails too.
  if (sweep.factor && !(*sweep.factor > 1)) {
    refuse("factor " + number_text(*sweep.factor) +
           " does not grow; give a factor above 1, such as 2");
  }
  if (sweep.step_bytes && *sweep.step_bytes == 0) {
    refuse("step 0 does not grow; give a step of at least one byte, such as 1M");
  }
}

[[noreturn]] void refuse_count(const Sweep& sweep) {
  refuse("more than " + std::to_string(most_sizes) + " sizes from " + format_size(sweep.min_bytes) +
         " to " + format_size(sweep.max_bytes) + "; give a larger factor or step");
}

/// The size after `size`, or empty when it would be above `max`.
std::optional<std::uint64_t> grown(std::uint64_t size, double factor, std::uint64_t max) {
  constexpr double two_to_64 = 18446744073709551616.0;
  if (size >= max) {
    return std::nullopt;
  }
  // A whole factor is multiplied as an integer: a double would round sizes above 2^53.
  std::uint64_t next = 0;
  if (factor < two_to_64 && factor == std::floor(factor)) {
    const auto whole = static_cast<std::uint64_t>(factor);
    if (size > max / whole) {
      return std::nullopt;
    }
    next = size * whole;
  } else {
    const double product = std::floor(static_cast<double>(size) * factor);
    if (product >= two_to_64) {
      return std::nullopt;
    }
    next = std::max(static_cast<std::uint64_t>(product), size + 1);
  }
  return next <= max ? std::optional(next) : std::nullopt;
}

std::vector<std::uint64_t> by_step(const Sweep& sweep) {
  const std::uint64_t steps = (sweep.max_bytes - sweep.min_bytes) / *sweep.step_bytes;
  if (steps >= most_sizes) {
    refuse_count(sweep);
  }
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t i = 0; i <= steps; ++i) {
    sizes.push_back(sweep.min_bytes + i * *sweep.step_bytes);
  }
  return sizes;
}

std::vector<std::uint64_t> by_factor(const Sweep& sweep) {
  std::vector<std::uint64_t> sizes;
  std::optional<std::uint64_t> size = sweep.min_bytes;
  if (sweep.min_bytes == 0) {
    sizes.push_back(0);
    size = std::max<std::uint64_t>(sweep.first_after_zero, 1);
    if (*size > sweep.max_bytes) {
      return sizes;
    }
  }
  for (; size; size = grown(*size, *sweep.factor, sweep.max_bytes)) {
    if (sizes.size() == most_sizes) {
      refuse_count(sweep);
    }
    sizes.push_back(*size);
  }
  return sizes;
}

}  // namespace

std::vector<std::uint64_t> expand(const Sweep& sweep) {
  check(sweep);
  return sweep.step_bytes ? by_step(sweep) : by_factor(sweep);
}

}  // namespace viaduct
