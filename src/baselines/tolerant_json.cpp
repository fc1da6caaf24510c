#include "baselines/tolerant_json.hpp"

#include "baselines/cell_text.hpp"
#include "baselines/text_lines.hpp"
#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace viaduct {
namespace {

/// The word around that byte: what a person looks for in the file.
std::string word_at(std::string_view text, std::size_t at) {
  constexpr std::size_t most = 24;
  constexpr std::string_view ends = " \t\r\n,:[]{}\"";
  std::size_t begin = at;
  while (begin > 0 && at - begin < most && ends.find(text[begin - 1]) == std::string_view::npos) {
    --begin;
  }
  const std::size_t end = std::min(text.find_first_of(ends, at), begin + most);
  return std::string(text.substr(begin, std::max<std::size_t>(1, end - begin)));
}

/// What stands at the byte where a text that goes on stops to be JSON.
std::string cause_at(std::string_view text, std::size_t at) {
  if (static_cast<unsigned char>(text[at]) < ' ') {
    return fmt::format(
        "a control character (0x{:02x}) within a string; JSON writes it as \\u{:04x}",
        static_cast<unsigned char>(text[at]),
        static_cast<unsigned char>(text[at]));
  }
  if (nlohmann::json::accept(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at))) {
    return "the JSON ends here and more follows: one document in a file";
  }
  const std::string word = word_at(text, at);
  const bool is_no_number = is_number_cell(word) && !number_of(word);
  return fmt::format("'{}' is no JSON here{}", word, is_no_number ? "; null stands for none" : "");
}

/// A number that no double holds. The library says which, between quotes, but not where.
[[noreturn]] void refuse_overflow(std::string_view text, std::string_view message) {
  constexpr std::size_t most = 40;
  const std::size_t first = message.find('\'');
  const std::size_t last = message.rfind('\'');
  const std::string_view number =
      last > first + 1 ? message.substr(first + 1, last - first - 1) : std::string_view();
  const std::size_t at = number.empty() ? std::string_view::npos : text.find(number);
  if (at == std::string_view::npos) {
    throw Error(ErrorKind::usage, "the JSON holds a number that is too large");
  }
  throw Error(
      ErrorKind::usage,
      fmt::format(
          "line {}, byte {}: the number '{}{}' is too large",
          1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'),
          at + 1,
          number.substr(0, most),
          number.size() > most ? "..." : ""));
}

[[noreturn]] void refuse_json(std::string_view text, std::size_t byte, const std::string& hint) {
  const std::size_t at = std::min(byte == 0 ? 0 : byte - 1, text.size());
  const auto line =
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  throw Error(
      ErrorKind::usage,
      text.find_first_not_of(" \t\r\n", at) == std::string_view::npos
          ? fmt::format("line {}: the JSON breaks off after {} bytes; {}", line, text.size(), hint)
          : fmt::format("line {}, byte {}: {}", line, at + 1, cause_at(text, at)));
}

}  // namespace

const nlohmann::json* find_key(const nlohmann::json* object,
                               std::initializer_list<const char*> keys) {
  if (object == nullptr || !object->is_object()) {
    return nullptr;
  }
  for (const char* key : keys) {
    const auto found = object->find(key);
    if (found != object->end()) {
      return &*found;
    }
  }
  return nullptr;
}

std::optional<double> number_in(const nlohmann::json* value) {
  if (value == nullptr) {
    return std::nullopt;
  }
  if (value->is_string()) {
    return number_of(trimmed(value->get_ref<const std::string&>()));
  }
  const bool is_finite = value->is_number() && std::isfinite(value->get<double>());
  return is_finite ? std::optional(value->get<double>()) : std::nullopt;
}

std::optional<int> integer_in(const nlohmann::json* value) {
  constexpr double most = 2e9;
  const std::optional<double> number = number_in(value);
  const bool is_whole = number && std::abs(*number) < most && *number == std::floor(*number);
  return is_whole ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

std::optional<std::uint64_t> whole_in(const nlohmann::json* value) {
  if (value != nullptr && value->is_number_unsigned()) {
    return value->get<std::uint64_t>();
  }
  constexpr double most = 9e18;
  const std::optional<double> number = number_in(value);
  const bool is_whole = number && *number >= 0 && *number < most && *number == std::floor(*number);
  return is_whole ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

std::optional<bool> flag_in(const nlohmann::json* value) {
  if (value == nullptr) {
    return std::nullopt;
  }
  if (value->is_boolean()) {
    return value->get<bool>();
  }
  if (value->is_string()) {
    const std::string text = text_in(value);
    if (text == "true" || text == "false") {
      return text == "true";
    }
  }
  const std::optional<int> number = integer_in(value);
  return number ? std::optional(*number != 0) : std::nullopt;
}

std::string text_in(const nlohmann::json* value) {
  if (value == nullptr) {
    return "";
  }
  if (value->is_string()) {
    return std::string(trimmed(value->get_ref<const std::string&>()));
  }
  return value->is_number() ? value->dump() : "";
}

std::vector<std::string> texts_in(const nlohmann::json* value) {
  std::vector<std::string> texts;
  if (value != nullptr && value->is_array()) {
    for (const nlohmann::json& item : *value) {
      texts.push_back(text_in(&item));
    }
  }
  return texts;
}

nlohmann::json parse_whole(std::string_view text, const std::string& hint) {
  try {
    return nlohmann::json::parse(text.begin(), text.end());
  } catch (const nlohmann::json::parse_error& error) {
    refuse_json(text, error.byte, hint);
  } catch (const nlohmann::json::exception& error) {
    refuse_overflow(text, error.what());
  }
}

}  // namespace viaduct
