#pragma once
// Lays cells out as aligned text: groups of columns side by side, and in blocks below each other
// where they do not fit. It knows widths, not what the cells mean.

#include <cstddef>
#include <string>
#include <vector>

namespace viaduct {

struct TextColumn {
  std::string name;
  std::string unit;  ///< second line of the head; may be empty
};

struct ColumnGroup {
  std::string title;  ///< above the names; may be empty
  std::vector<TextColumn> columns;
};

/// The cells of one row in one group: one text for each column, or one text over all of them.
struct GroupCells {
  std::vector<std::string> cells;
  std::string spanning;  ///< not empty: instead of the cells
};

using TextRow = std::vector<GroupCells>;

/// The first group (the key of a row) stands at the left of every block. A group is never split: a
/// block holds one at least, even when it is wider than max_width. Columns stand two blanks apart,
/// or one where two do not fit.
std::string lay_out(const std::vector<ColumnGroup>& groups,
                    const std::vector<TextRow>& rows,
                    std::size_t max_width);

}  // namespace viaduct
