// Text of nvbandwidth: "Running NAME.", a description, a matrix, "SUM NAME value". Bidirectional
// tests print several matrices under one name.

#include "baselines/cell_text.hpp"
#include "baselines/matrix_text.hpp"
#include "baselines/reader.hpp"
#include "baselines/text_lines.hpp"

#include <fmt/format.h>

#include <utility>

namespace viaduct::baselines {
namespace {

/// Keeps the matrix that is being read, and where in it the text is.
class MatrixReader {
 public:
  Baseline read(std::string_view text) {
    TextLines lines(text);
    TextLine line;
    while (lines.next(line)) {
      take(trimmed(line.text));
    }
    finish();
    if (torn_ > 0) {
      baseline_.notes.push_back(
          {"TORN", fmt::format("{} rows of matrices are not whole and left out", torn_)});
    }
    return std::move(baseline_);
  }

 private:
  void take(std::string_view line) {
    constexpr std::string_view running = "Running ";
    constexpr std::string_view waived = "Waived:";
    if (line.starts_with(running)) {
      finish();
      name_ = std::string(trimmed(line.substr(running.size())));
      if (name_.ends_with('.')) {
        name_.pop_back();
      }
    } else if (line.starts_with(waived)) {
      baseline_.waived.emplace_back(trimmed(line.substr(waived.size())));
    } else if (line.starts_with("SUM ")) {
      take_sum(line);
    } else if (auto described = matrix_of_description(line)) {
      finish();
      matrix_ = std::move(*described);
      matrix_.name = name_;
      is_open_ = true;
    } else if (is_open_ && !line.empty()) {
      take_inside(line);
    }
  }

  void take_inside(std::string_view line) {
    if (matrix_.columns.empty()) {
      is_open_ = take_column_labels(line, matrix_);
      return;
    }
    std::string label;
    std::vector<std::optional<double>> cells;
    if (take_matrix_row(line, matrix_.columns, label, cells)) {
      matrix_.rows.push_back(std::move(label));
      matrix_.cells.push_back(std::move(cells));
    } else if (is_digit(line[0])) {
      ++torn_;
    }
  }

  void take_sum(std::string_view line) {
    const std::vector<std::string_view> words = words_of(line, 3);
    const bool is_here = words.size() == 3 && is_open_ && words[1] == matrix_.name;
    if (is_here) {
      matrix_.sum = number_of(words[2]);
    }
    finish();
  }

  void finish() {
    if (is_open_ && !matrix_.cells.empty()) {
      judge_matrix(matrix_);
      baseline_.matrices.push_back(std::move(matrix_));
    }
    matrix_ = CopyMatrix{};
    is_open_ = false;
  }

  Baseline baseline_;
  std::string name_;
  CopyMatrix matrix_;
  bool is_open_ = false;
  std::size_t torn_ = 0;
};

bool recognizes(std::string_view text) {
  return any_line_with(text, "(column)", [](std::string_view line) {
    return matrix_of_description(line).has_value();
  });
}

Baseline read(std::string_view text) {
  return MatrixReader().read(text);
}

}  // namespace

const BaselineReader& nvbandwidth_text() {
  static constexpr BaselineReader entry{"nvbandwidth", "text of nvbandwidth", &recognizes, &read};
  return entry;
}

}  // namespace viaduct::baselines
