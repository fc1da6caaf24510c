#pragma once
// Reads the fields of one JSON object by name and type. It knows JSON, not what the fields mean.

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace viaduct {

/// Each reader throws Error(io) that names the key, what it must be and what it is.
class JsonFields {
 public:
  /// `what` begins the messages: "measurement". Throws Error(io) when `object` is not an object.
  JsonFields(const nlohmann::json& object, std::string what);

  [[nodiscard]] std::string text(const char* key) const;
  [[nodiscard]] std::string text_or_empty(const char* key) const;  ///< null: ""
  [[nodiscard]] bool flag(const char* key) const;
  [[nodiscard]] double number(const char* key) const;
  [[nodiscard]] std::uint64_t count(const char* key) const;
  [[nodiscard]] int integer(const char* key) const;
  [[nodiscard]] std::vector<double> numbers(const char* key) const;
  [[nodiscard]] std::vector<int> integers(const char* key) const;
  [[nodiscard]] std::vector<std::string> texts(const char* key) const;
  [[nodiscard]] std::map<std::string, std::string> text_map(const char* key) const;
  [[nodiscard]] std::map<std::string, int> integer_map(const char* key) const;

  [[nodiscard]] bool is_null(const char* key) const;

  /// Whether the key is there at all: those that a schema version gained later may be missing.
  [[nodiscard]] bool has(const char* key) const;

  [[nodiscard]] bool is_text(const char* key) const;
  [[nodiscard]] std::optional<bool> optional_flag(const char* key) const;
  [[nodiscard]] std::optional<double> optional_number(const char* key) const;
  [[nodiscard]] std::optional<std::uint64_t> optional_count(const char* key) const;
  [[nodiscard]] std::optional<int> optional_integer(const char* key) const;

  [[nodiscard]] JsonFields object(const char* key) const;
  [[nodiscard]] std::vector<JsonFields> objects(const char* key) const;

  /// "measurement.time_us.median", for messages.
  [[nodiscard]] std::string place(const char* key) const;

 private:
  [[nodiscard]] const nlohmann::json& value(const char* key) const;
  [[noreturn]] void refuse(const char* key, const char* right_form) const;

  const nlohmann::json* object_;
  std::string what_;
};

}  // namespace viaduct
