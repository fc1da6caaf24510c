#pragma once
// Enumerators and their names, both ways, from one table. Knows no enumeration itself.

#include "core/error.hpp"
#include "core/nearest.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

template <typename Value>
struct Named {
  Value value;
  const char* name;
};

/// Throws Error(internal) for a value that no enumerator has.
template <typename Value, typename Table>
const char* name_in(const Table& table, Value value) {
  for (const auto& row : table) {
    if (row.value == value) {
      return row.name;
    }
  }
  throw Error(ErrorKind::internal,
              "enumerator " + std::to_string(static_cast<int>(value)) + " has no name");
}

/// Throws Error(usage) that shows the nearest names, or all of them.
template <typename Value, typename Table>
Value value_in(const Table& table, std::string_view what, std::string_view text) {
  std::vector<std::string> known;
  for (const Named<Value>& row : table) {
    if (text == row.name) {
      return row.value;
    }
    known.emplace_back(row.name);
  }
  throw Error(ErrorKind::usage, unknown_name_message(what, text, known));
}

/// The values in the order of the table.
template <typename Value, typename Table>
std::vector<Value> values_in(const Table& table) {
  std::vector<Value> values;
  for (const Named<Value>& row : table) {
    values.push_back(row.value);
  }
  return values;
}

}  // namespace viaduct
