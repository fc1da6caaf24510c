#pragma once
// A small table in the HTML report's data. It knows cells, not what they mean.

#include "report/json_writer.hpp"

#include <string>
#include <vector>

namespace viaduct {

/// "#" before the name of a column says that its cells are numbers to sort by. Empty cells are not
/// known.
struct SmallTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

/// {"columns": [{"name", "number"}], "rows": [[...]]} under that key.
void write_table(JsonWriter& json, const char* key, const SmallTable& table);

}  // namespace viaduct
