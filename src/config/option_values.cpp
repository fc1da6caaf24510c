#include "config/option_values.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace viaduct {

namespace {

template <typename Number>
bool reads_whole(const std::string& text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number);
  return failure == std::errc{} && stop == end;
}

}  // namespace

std::uint64_t whole_number(const std::string& option,
                           const std::string& text,
                           std::uint64_t least,
                           std::uint64_t most) {
  std::uint64_t number = 0;
  if (!reads_whole(text, number) || number < least || number > most) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: '{}' is not a whole number from {} to {}", option, text, least, most));
  }
  return number;
}

double number_above(const std::string& option, const std::string& text, double least) {
  double number = 0;
  if (!reads_whole(text, number) || !std::isfinite(number) || number <= least) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: '{}' is not a number above {}", option, text, least));
  }
  return number;
}

std::vector<std::string> word_list(const std::string& option, const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == ',') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (word->empty()) {
      throw Error(
          ErrorKind::usage,
          fmt::format("{}: '{}' has an empty part; write words joined by commas, without blanks",
                      option,
                      text));
    }
    if (std::find(words.begin(), word, *word) != word) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: '{}' stands twice in '{}'", option, *word, text));
    }
  }
  return words;
}

}  // namespace viaduct
