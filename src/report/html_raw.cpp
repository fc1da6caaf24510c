#include "report/html_parts.hpp"
#include "report/record_columns.hpp"

#include <algorithm>

namespace viaduct {

namespace {

/// The texts of the rows that are shown, and which columns say the same in all of them.
struct RawTable {
  std::vector<std::vector<std::string>> rows;
  std::vector<bool> is_same;
};

RawTable raw_table(const Result& result, std::size_t most_rows) {
  const std::vector<RecordColumn>& columns = record_columns();
  const VerdictIndex verdicts(result);
  RawTable table;
  table.is_same.assign(columns.size(), true);
  for (const Measurement& m : result.measurements) {
    if (table.rows.size() == most_rows) {
      break;
    }
    const RecordRow row{&result, &m, verdicts.find(m)};
    std::vector<std::string> texts;
    texts.reserve(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      texts.push_back(column_text(columns[i], row));
      table.is_same[i] =
          table.is_same[i] && (table.rows.empty() || table.rows.front()[i] == texts.back());
    }
    table.rows.push_back(std::move(texts));
  }
  return table;
}

bool stands_once(const RawTable& table, std::size_t column) {
  return table.rows.size() > 1 && table.is_same[column];
}

void write_cell(JsonWriter& json, const std::string& text, bool is_number) {
  if (text.empty()) {
    json.null();
  } else if (is_number) {
    json.number_text(text);
  } else {
    json.text(text);
  }
}

void write_columns(JsonWriter& json, const RawTable& table) {
  const std::vector<RecordColumn>& columns = record_columns();
  json.key("columns");
  json.begin_list();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!stands_once(table, i)) {
      json.begin_object();
      json.text_at("name", columns[i].name);
      json.flag_at("number", columns[i].is_number);
      json.end();
    }
  }
  json.end();
  json.key("same");
  json.begin_list();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (stands_once(table, i) && !table.rows.front()[i].empty()) {
      json.begin_list();
      json.text(columns[i].name);
      json.text(table.rows.front()[i]);
      json.end();
    }
  }
  json.end();
}

}  // namespace

void write_raw(JsonWriter& json, const Result& result, const HtmlLimits& limits) {
  const RawTable table = raw_table(result, limits.raw_rows);
  const std::vector<RecordColumn>& columns = record_columns();
  json.key("raw");
  json.begin_object();
  json.whole_at("total", result.measurements.size());
  write_columns(json, table);
  json.key("rows");
  json.begin_list();
  for (const std::vector<std::string>& row : table.rows) {
    json.begin_list();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (!stands_once(table, i)) {
        write_cell(json, row[i], columns[i].is_number);
      }
    }
    json.end();
  }
  json.end();
  json.end();
}

}  // namespace viaduct
