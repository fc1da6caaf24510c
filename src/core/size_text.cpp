#include "core/size_text.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <limits>
#include <optional>
#include <system_error>

namespace viaduct {
namespace {

constexpr std::uint64_t largest_size = std::numeric_limits<std::int64_t>::max();
constexpr std::string_view unit_letters = "KMGT";

/// A size text cut at its seams: whole "2", fraction "5", unit "G".
struct SizeParts {
  std::string_view whole;
  std::string_view fraction;
  std::string_view unit;
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view take_digits(std::string_view& rest) {
  const auto end = std::find_if_not(rest.begin(), rest.end(), is_digit);
  const auto length = static_cast<std::size_t>(end - rest.begin());
  const std::string_view digits = rest.substr(0, length);
  rest.remove_prefix(length);
  return digits;
}

/// Empty where digits are missing before or after the point.
std::optional<SizeParts> split(std::string_view text) {
  SizeParts parts;
  parts.whole = take_digits(text);
  if (parts.whole.empty()) {
    return std::nullopt;
  }
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    parts.fraction = take_digits(text);
    if (parts.fraction.empty()) {
      return std::nullopt;
    }
  }
  parts.unit = text;
  return parts;
}

/// "" and "B" -> 0, "K", "KB" and "KiB" -> 10, and so on; empty for anything else.
std::optional<unsigned> shift_of_unit(std::string_view unit) {
  std::string upper;
  for (const char c : unit) {
    upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  unsigned shift = 0;
  std::string tail = upper;
  if (!upper.empty()) {
    const std::size_t place = unit_letters.find(upper.front());
    if (place != std::string_view::npos) {
      shift = 10 * (static_cast<unsigned>(place) + 1);
      tail.erase(0, 1);
    }
  }
  if (tail.empty() || tail == "B" || (tail == "IB" && shift > 0)) {
    return shift;
  }
  return std::nullopt;
}

/// Doubles a decimal fraction in place, its last digit first, and returns the bit carried over the
/// point.
unsigned double_fraction(std::string& digits) {
  unsigned carry = 0;
  for (char& digit : digits) {
    const unsigned doubled = 2 * static_cast<unsigned>(digit - '0') + carry;
    carry = doubled / 10;
    digit = static_cast<char>('0' + doubled % 10);
  }
  return carry;
}

/// 0.fraction times 2^shift, exactly; empty when that is not a whole number.
std::optional<std::uint64_t> whole_bytes(std::string_view fraction, unsigned shift) {
  std::string digits(fraction.rbegin(), fraction.rend());
  std::uint64_t bytes = 0;
  for (unsigned bit = 0; bit < shift; ++bit) {
    bytes = 2 * bytes + double_fraction(digits);
  }
  if (digits.find_first_not_of('0') != std::string::npos) {
    return std::nullopt;
  }
  return bytes;
}

[[noreturn]] void refuse(std::string_view text, std::string_view what, std::string_view why) {
  throw Error(ErrorKind::usage,
              std::string(what) + ": '" + std::string(text) + "' " + std::string(why) +
                  "; write bytes as 8, 4K, 1M or 2.5G (K = 1024, at most 2^63-1 bytes)");
}

}  // namespace

std::uint64_t parse_size(std::string_view text, std::string_view what) {
  const std::optional<SizeParts> parts = split(text);
  const std::optional<unsigned> shift = parts ? shift_of_unit(parts->unit) : std::nullopt;
  if (!shift) {
    refuse(text, what, "is not a size");
  }
  std::uint64_t whole = 0;
  const char* end = parts->whole.data() + parts->whole.size();
  const std::errc failure = std::from_chars(parts->whole.data(), end, whole).ec;
  if (failure != std::errc{} || whole > (largest_size >> *shift)) {
    refuse(text, what, "is too large");
  }
  const std::optional<std::uint64_t> rest = whole_bytes(parts->fraction, *shift);
  if (!rest) {
    refuse(text, what, "is not a whole number of bytes");
  }
  // The fraction is below one unit, so the sum stays below (whole + 1) << shift <= 2^63.
  return (whole << *shift) + *rest;
}

std::string format_size(std::uint64_t bytes) {
  std::string unit;
  for (const char letter : unit_letters) {
    if (bytes == 0 || bytes % 1024 != 0) {
      break;
    }
    bytes /= 1024;
    unit = letter;
  }
  return std::to_string(bytes) + unit;
}

}  // namespace viaduct
