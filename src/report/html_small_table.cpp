#include "report/html_small_table.hpp"

namespace viaduct {

void write_table(JsonWriter& json, const char* key, const SmallTable& table) {
  json.key(key);
  json.begin_object();
  json.key("columns");
  json.begin_list();
  for (const std::string& column : table.columns) {
    const bool is_number = column.starts_with('#');
    json.begin_object();
    json.text_at("name", is_number ? column.substr(1) : column);
    json.flag_at("number", is_number);
    json.end();
  }
  json.end();
  json.key("rows");
  json.begin_list();
  for (const std::vector<std::string>& row : table.rows) {
    json.begin_list();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i].empty()) {
        json.null();
      } else if (table.columns[i].starts_with('#')) {
        json.number_text(row[i]);
      } else {
        json.text(row[i]);
      }
    }
    json.end();
  }
  json.end();
  json.end();
}

}  // namespace viaduct
