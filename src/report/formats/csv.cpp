#include "report/format.hpp"
#include "report/record_columns.hpp"

#include <string_view>

namespace viaduct::formats {
namespace {

constexpr std::string_view line_end = "\r\n";  // RFC 4180

void append_field(std::string& text, std::string_view field) {
  if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
    text += field;
    return;
  }
  text += '"';
  for (const char c : field) {
    text += c;
    if (c == '"') {
      text += '"';
    }
  }
  text += '"';
}

std::string header() {
  std::string text;
  for (const RecordColumn& column : record_columns()) {
    text += text.empty() ? "" : ",";
    text += column.name;
  }
  return text.append(line_end);
}

/// One header for all files: each row says which file it is from and how that run ended.
std::string render(const std::vector<Result>& results) {
  std::string text = header();
  for (const Result& result : results) {
    const VerdictIndex verdicts(result);
    for (const Measurement& m : result.measurements) {
      const RecordRow row{&result, &m, verdicts.find(m)};
      bool is_first = true;
      for (const RecordColumn& column : record_columns()) {
        text += is_first ? "" : ",";
        is_first = false;
        append_field(text, column_text(column, row));
      }
      text += line_end;
    }
  }
  return text;
}

}  // namespace

const Format& csv() {
  static constexpr Format entry{
      "csv", "one row for each measurement, with every field (RFC 4180)", &render};
  return entry;
}

}  // namespace viaduct::formats
