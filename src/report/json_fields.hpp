#pragma once
// Reads the fields of one JSON object by name and type. It knows JSON, not what the fields mean.

#include "report/json_tree.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace viaduct {

/// Each reader throws Error(io) that names the key, what it must be and what it is.
class JsonFields {
 public:
  /// `what` begins the messages: "measurement". Throws Error(io) when it is not an object. Does not
  /// own the tree, which must have nodes.
  JsonFields(const JsonTree& tree, std::string what);

  /// Keeps a copy of the object.
  JsonFields(const nlohmann::json& object, std::string what);

  [[nodiscard]] std::string text(const char* key) const;
  [[nodiscard]] std::string text_or_empty(const char* key) const;  ///< null: ""
  [[nodiscard]] bool flag(const char* key) const;
  [[nodiscard]] double number(const char* key) const;
  [[nodiscard]] double number_from_zero(const char* key) const;
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
  [[nodiscard]] std::optional<double> optional_number_from_zero(const char* key) const;
  [[nodiscard]] std::optional<std::uint64_t> optional_count(const char* key) const;
  [[nodiscard]] std::optional<int> optional_integer(const char* key) const;

  [[nodiscard]] JsonFields object(const char* key) const;
  [[nodiscard]] std::vector<JsonFields> objects(const char* key) const;

  /// "measurement.time_us.median", for messages.
  [[nodiscard]] std::string place(const char* key) const;

 private:
  struct Copy;

  JsonFields(const JsonFields& holder, std::uint32_t index, std::string what);

  [[nodiscard]] std::uint32_t index_of(const char* key) const;
  [[nodiscard]] const JsonNode& value(const char* key) const;
  void expect_object() const;
  [[noreturn]] void refuse(const char* key, const char* right_form) const;

  /// Calls `use` with the node and the index of each value of a list or object.
  template <typename Use>
  void each(std::uint32_t holder, const Use& use) const;

  std::shared_ptr<const Copy> copy_;  ///< objects inside share it; empty: the caller's tree
  const JsonTree* tree_;
  std::uint32_t index_ = 0;
  std::string what_;
};

}  // namespace viaduct
