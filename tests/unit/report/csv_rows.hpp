#pragma once
// A strict reader of RFC 4180 for tests: anything that the standard does not allow is an error.

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace viaduct::test {

using CsvRow = std::vector<std::string>;

/// One field from `at`, which is moved to the separator behind it.
inline std::string csv_field(std::string_view text, std::size_t& at) {
  std::string field;
  if (at < text.size() && text[at] == '"') {
    for (++at;; ++at) {
      if (at >= text.size()) {
        throw std::runtime_error("a quote is not closed");
      }
      if (text[at] == '"') {
        if (at + 1 < text.size() && text[at + 1] == '"') {
          ++at;
        } else {
          ++at;
          return field;
        }
      }
      field += text[at];
    }
  }
  while (at < text.size() && text[at] != ',' && text[at] != '\r') {
    if (text[at] == '"' || text[at] == '\n') {
      throw std::runtime_error("a quote or line end in a field without quotes");
    }
    field += text[at++];
  }
  return field;
}

inline std::vector<CsvRow> csv_rows(std::string_view text) {
  std::vector<CsvRow> rows(1);
  for (std::size_t at = 0; at < text.size();) {
    rows.back().push_back(csv_field(text, at));
    if (text.substr(at, 2) == "\r\n") {
      at += 2;
      rows.emplace_back();
    } else if (at < text.size() && text[at] == ',') {
      ++at;
    } else {
      throw std::runtime_error("a row does not end with CR LF");
    }
  }
  if (!rows.back().empty()) {
    throw std::runtime_error("the last row has no end");
  }
  rows.pop_back();
  for (const CsvRow& row : rows) {
    if (row.size() != rows.front().size()) {
      throw std::runtime_error("rows of different lengths");
    }
  }
  return rows;
}

}  // namespace viaduct::test
