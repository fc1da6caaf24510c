#pragma once
// Writes JSON text value by value, without a document in memory. Texts are safe inside a <script>
// element too. It knows JSON, not what is written.

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

class JsonWriter {
 public:
  void begin_object() { open('{'); }

  void begin_list() { open('['); }

  /// Closes the object or list that was opened last.
  void end();

  /// The key of the next value of an object.
  void key(std::string_view name);

  /// Bytes that are no UTF-8 become U+FFFD; `<`, `>`, `&` and U+2028/9 are written as escapes.
  void text(std::string_view value);

  /// null for infinities and NaN, which JSON has not.
  void number(double value);

  template <std::integral Whole>
  void whole(Whole value) {
    before_value();
    text_ += std::to_string(value);
  }

  void flag(bool value);
  void null();

  void text_at(std::string_view name, std::string_view value);
  void number_at(std::string_view name, const std::optional<double>& value);  ///< empty: null
  void texts_at(std::string_view name, const std::vector<std::string>& values);

  template <std::integral Whole>
  void whole_at(std::string_view name, Whole value) {
    key(name);
    whole(value);
  }

  void flag_at(std::string_view name, bool value) {
    key(name);
    flag(value);
  }

  /// A number with about six digits, for what is only looked at.
  void short_number(double value);

  /// A number that is text already, as fmt or std::to_chars write it.
  void number_text(std::string_view digits);

  /// The whole text; every object and list must be closed.
  std::string take();

 private:
  void open(char bracket);
  void before_value();

  std::string text_;
  std::string closers_;
  bool needs_comma_ = false;
};

}  // namespace viaduct
