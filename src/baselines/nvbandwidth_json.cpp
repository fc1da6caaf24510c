// JSON of nvbandwidth -j. Its cells are strings, latencies stand under "bandwidth" too, and the
// matrices of a bidirectional test are one behind the other.

#include "baselines/matrix_text.hpp"
#include "baselines/reader.hpp"
#include "baselines/tolerant_json.hpp"

#include <algorithm>
#include <utility>

namespace viaduct::baselines {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_columns = 4096;

/// Labels are not in the document: devices count from 0, and rows of a further matrix begin anew.
std::vector<std::string> numbers_to(std::size_t count) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < count; ++i) {
    labels.push_back(std::to_string(i));
  }
  return labels;
}

void take_cells(const Json& rows, CopyMatrix& matrix) {
  std::size_t widest = 0;
  for (const Json& row : rows) {
    widest = std::max(widest, row.is_array() ? std::min(row.size(), most_columns) : 0);
  }
  matrix.columns = numbers_to(widest);
  for (const Json& row : rows) {
    std::vector<std::optional<double>> cells;
    for (std::size_t i = 0; row.is_array() && i < std::min(row.size(), most_columns); ++i) {
      cells.push_back(number_in(&row[i]));
    }
    cells.resize(widest);
    matrix.cells.push_back(std::move(cells));
  }
  const bool is_square_of = matrix.row_kind == matrix.column_kind && widest > 0 &&
                            matrix.cells.size() > widest && matrix.cells.size() % widest == 0;
  const std::vector<std::string> labels = numbers_to(is_square_of ? widest : matrix.cells.size());
  for (std::size_t i = 0; i < matrix.cells.size(); ++i) {
    matrix.rows.push_back(labels[i % labels.size()]);
  }
  if (is_square_of) {
    matrix.remark =
        "several matrices, one behind the other: first and second direction, then total";
    matrix.sum.reset();
  }
}

void take_test(const Json& test, Baseline& baseline) {
  const std::string name = text_in(find_key(&test, {"name"}));
  const std::string status = text_in(find_key(&test, {"status"}));
  const Json* rows = find_key(&test, {"bandwidth_matrix"});
  if (rows == nullptr || !rows->is_array() || rows->empty()) {
    if (status == "Waived") {
      baseline.waived.push_back(name);
    } else {
      baseline.notes.push_back({status == "Error" ? "FAILED" : "NO_DATA",
                                name + ": " + (status.empty() ? "no matrix" : status)});
    }
    return;
  }
  const std::string description = text_in(find_key(&test, {"bandwidth_description"}));
  CopyMatrix matrix = matrix_of_description(description).value_or(CopyMatrix{});
  matrix.name = name;
  matrix.description = description;
  matrix.sum = number_in(find_key(&test, {"sum"}));
  take_cells(*rows, matrix);
  const std::string remark = std::exchange(matrix.remark, "");
  judge_matrix(matrix);
  matrix.remark = remark.empty() ? matrix.remark : remark;
  baseline.matrices.push_back(std::move(matrix));
}

bool recognizes(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' &&
         text.find("\"nvbandwidth\"") != std::string_view::npos;
}

Baseline read(std::string_view text) {
  const Json document = parse_whole(text, "nvbandwidth writes it whole at its end");
  const Json* root = find_key(&document, {"nvbandwidth"});
  Baseline baseline;
  const Json* tests = find_key(root, {"testcases"});
  for (const Json& test : tests != nullptr && tests->is_array() ? *tests : Json::array()) {
    take_test(test, baseline);
  }
  for (const char* key : {"error", "warning"}) {
    const std::string said = text_in(find_key(root, {key}));
    if (!said.empty()) {
      baseline.notes.push_back({std::string(key) == "error" ? "FAILED" : "UNKNOWN", said});
    }
  }
  return baseline;
}

}  // namespace

const BaselineReader& nvbandwidth_json() {
  static constexpr BaselineReader entry{
      "nvbandwidth-json", "JSON of nvbandwidth -j", &recognizes, &read};
  return entry;
}

}  // namespace viaduct::baselines
