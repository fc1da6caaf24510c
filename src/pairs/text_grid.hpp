#pragma once
// Cells in aligned columns: the first to the left, the others to the right. Knows no numbers.

#include <string>
#include <utility>
#include <vector>

namespace viaduct {

class TextGrid {
 public:
  void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  /// One line for each row, ended, without blanks at the end.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace viaduct
