#pragma once
// Takes a line apart from the left: literals, numbers, text up to a character. Knows no format.

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>

namespace viaduct {

class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : rest_(text) {}

  [[nodiscard]] std::string_view rest() const { return rest_; }

  [[nodiscard]] bool at_end() const { return rest_.empty(); }

  /// Moves behind the literal when the rest begins with it.
  bool take(std::string_view literal) {
    if (!rest_.starts_with(literal)) {
      return false;
    }
    rest_.remove_prefix(literal.size());
    return true;
  }

  /// Digits (and a sign, for signed types); nothing when there are none or too many.
  template <typename Number>
  std::optional<Number> take_number() {
    Number number{};
    const char* begin = rest_.data();
    const auto [end, error] = std::from_chars(begin, begin + rest_.size(), number);
    if (error != std::errc{}) {
      return std::nullopt;
    }
    rest_.remove_prefix(static_cast<std::size_t>(end - begin));
    return number;
  }

  /// A whole number from 0.
  std::optional<int> take_count() {
    return rest_.starts_with('-') ? std::nullopt : take_number<int>();
  }

  /// What stands before the delimiter, and moves behind it; nothing when there is none.
  std::optional<std::string_view> take_until(std::string_view delimiter) {
    const std::size_t at = rest_.find(delimiter);
    if (at == std::string_view::npos) {
      return std::nullopt;
    }
    const std::string_view text = rest_.substr(0, at);
    rest_.remove_prefix(at + delimiter.size());
    return text;
  }

  /// Up to the next space or the end; moves behind the spaces that follow. Empty only at the end.
  std::string_view take_word() {
    const std::size_t end = rest_.find(' ');
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(word.size());
    while (take(" ")) {
    }
    return word;
  }

 private:
  std::string_view rest_;
};

}  // namespace viaduct
