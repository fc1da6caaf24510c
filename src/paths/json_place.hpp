#pragma once
// Strict reading of a JSON text that a person wrote: every complaint names file, JSON pointer and
// what is allowed. Knows nothing of paths or plans.

#include "core/error.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace viaduct {

/// Throws Error(usage) with line and column when the text is not JSON, and when an object holds a
/// key twice.
nlohmann::json parse_json(std::string_view text, const std::string& origin);

/// A value inside a document, with the words to say where it stands. Does not own the document.
class JsonPlace {
 public:
  JsonPlace(const nlohmann::json& value, std::string origin, std::string pointer = "")
      : value_(&value),
        origin_(std::move(origin)),
        pointer_(std::move(pointer)) {}

  /// Throws Error(usage) "origin: pointer: message".
  [[noreturn]] void fail(const std::string& message) const;

  /// What stands before each of its messages: "origin: pointer: ".
  [[nodiscard]] std::string where() const;

  /// Throws unless this is an object with no other keys than these.
  void expect_object(const std::vector<std::string>& allowed) const;

  /// Empty when the object has no such key.
  [[nodiscard]] std::optional<JsonPlace> find(const std::string& key) const;

  /// Throws when the object has no such key.
  [[nodiscard]] JsonPlace at(const std::string& key) const;

  /// Throws unless this is a list; an empty one only when `may_be_empty`.
  [[nodiscard]] std::vector<JsonPlace> elements(bool may_be_empty = false) const;

  /// Members of an object, in order of their keys.
  [[nodiscard]] std::vector<std::pair<std::string, JsonPlace>> members() const;

  [[nodiscard]] bool is_object() const { return value_->is_object(); }

  [[nodiscard]] bool is_list() const { return value_->is_array(); }

  [[nodiscard]] bool is_text() const { return value_->is_string(); }

  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool flag() const;
  [[nodiscard]] std::uint64_t whole_number(std::uint64_t least, std::uint64_t most) const;
  [[nodiscard]] double number_above(double least) const;
  [[nodiscard]] std::vector<std::string> texts() const;

  /// A string as it is, a whole number by its digits, as on a command line. `wanted`: what must
  /// stand here, for the complaint.
  [[nodiscard]] std::string word_or_number(const std::string& wanted) const;

  /// One of the allowed words.
  [[nodiscard]] std::string word(const std::vector<std::string>& allowed) const;

  /// The value as JSON again, for whoever reads it later.
  [[nodiscard]] std::string json_text() const;

  [[nodiscard]] const std::string& origin() const { return origin_; }

  [[nodiscard]] const std::string& pointer() const { return pointer_; }

 private:
  [[noreturn]] void fail_type(const std::string& wanted) const;
  [[nodiscard]] JsonPlace child(const nlohmann::json& value, const std::string& key) const;

  const nlohmann::json* value_;
  std::string origin_;
  std::string pointer_;
};

/// Runs a reader of core (parse_size, parse_mode, ...) and puts file and pointer before its
/// complaint.
template <typename Read>
auto read_at(const JsonPlace& place, const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    // The reader may have asked the place itself, which names itself.
    if (error.message().starts_with(place.where())) {
      throw;
    }
    place.fail(error.message());
  }
}

}  // namespace viaduct
