#include "baselines/cell_text.hpp"

#include "baselines/text_lines.hpp"

#include <charconv>
#include <cmath>

namespace viaduct {
namespace {

template <typename Number>
std::optional<Number> whole_text(std::string_view text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stopped == end && !text.empty() ? std::optional(value)
                                                                 : std::nullopt;
}

}  // namespace

std::optional<double> number_of(std::string_view text) {
  const std::optional<double> value = whole_text<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

bool is_number_cell(std::string_view text) {
  return text == "N/A" || text == "n/a" || whole_text<double>(text).has_value();
}

std::optional<std::uint64_t> whole_of(std::string_view text) {
  return whole_text<std::uint64_t>(text);
}

std::optional<int> integer_of(std::string_view text) {
  return whole_text<int>(text);
}

std::optional<std::uint64_t> elements_of(std::string_view text) {
  constexpr double most = 9e18;
  if (const auto whole = whole_of(text)) {
    return whole;
  }
  const std::optional<double> value = number_of(text);
  return value && *value >= 0 && *value < most ? std::optional(static_cast<std::uint64_t>(*value))
                                               : std::nullopt;
}

std::optional<int> integer_after(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view rest = trimmed(line.substr(at + key.size()));
  std::size_t end = rest.starts_with('-') ? 1 : 0;
  while (end < rest.size() && is_digit(rest[end])) {
    ++end;
  }
  return integer_of(rest.substr(0, end));
}

}  // namespace viaduct
