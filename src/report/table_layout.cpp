#include "report/table_layout.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace viaduct {

namespace {

constexpr std::string_view between_groups = " | ";

/// A group with the width of each of its columns.
struct SizedGroup {
  const ColumnGroup* group = nullptr;
  std::size_t index = 0;  ///< in the rows
  std::size_t gap = 0;    ///< blanks between its columns
  std::vector<std::size_t> widths;

  [[nodiscard]] std::size_t width() const {
    std::size_t sum = widths.empty() ? 0 : gap * (widths.size() - 1);
    for (const std::size_t width : widths) {
      sum += width;
    }
    return sum;
  }
};

void check_shape(const std::vector<ColumnGroup>& groups, const std::vector<TextRow>& rows) {
  for (const TextRow& row : rows) {
    bool fits = row.size() == groups.size();
    for (std::size_t i = 0; fits && i < row.size(); ++i) {
      fits = !row[i].spanning.empty() || row[i].cells.size() == groups[i].columns.size();
    }
    if (!fits) {
      throw Error(ErrorKind::internal, "a row of the table has other cells than its columns");
    }
  }
}

SizedGroup sized(const std::vector<ColumnGroup>& groups,
                 std::size_t index,
                 const std::vector<TextRow>& rows,
                 std::size_t gap) {
  SizedGroup result{&groups[index], index, gap, {}};
  std::size_t widest_over_all = groups[index].title.size();
  for (const TextColumn& column : groups[index].columns) {
    result.widths.push_back(std::max(column.name.size(), column.unit.size()));
  }
  for (const TextRow& row : rows) {
    const GroupCells& cells = row[index];
    widest_over_all = std::max(widest_over_all, cells.spanning.size());
    for (std::size_t i = 0; cells.spanning.empty() && i < cells.cells.size(); ++i) {
      result.widths[i] = std::max(result.widths[i], cells.cells[i].size());
    }
  }
  if (widest_over_all > result.width() && !result.widths.empty()) {
    result.widths.front() += widest_over_all - result.width();
  }
  return result;
}

std::vector<SizedGroup> sized_all(const std::vector<ColumnGroup>& groups,
                                  const std::vector<TextRow>& rows,
                                  std::size_t gap) {
  std::vector<SizedGroup> all;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    all.push_back(sized(groups, i, rows, gap));
  }
  return all;
}

std::size_t width_of(const std::vector<SizedGroup>& block) {
  std::size_t sum = between_groups.size() * (block.size() - 1);
  for (const SizedGroup& group : block) {
    sum += group.width();
  }
  return sum;
}

std::string right_aligned(const SizedGroup& group, const std::vector<std::string>& cells) {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    text += std::string(i == 0 ? 0 : group.gap, ' ');
    text += fmt::format("{:>{}}", cells[i], group.widths[i]);
  }
  return text;
}

std::string spanned(const SizedGroup& group, const std::string& text) {
  return fmt::format("{:<{}}", text, group.width());
}

std::vector<std::string> texts_of(const ColumnGroup& group, std::string TextColumn::*member) {
  std::vector<std::string> texts;
  for (const TextColumn& column : group.columns) {
    texts.push_back(column.*member);
  }
  return texts;
}

/// One line: the text of every group of the block, joined, without blanks at its end.
template <typename TextOf>
std::string line_of(const std::vector<SizedGroup>& block, TextOf text_of) {
  std::string line;
  for (const SizedGroup& group : block) {
    line += line.empty() ? "" : std::string(between_groups);
    line += text_of(group);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string block_text(const std::vector<SizedGroup>& block, const std::vector<TextRow>& rows) {
  const auto title = [](const SizedGroup& g) { return spanned(g, g.group->title); };
  const auto names = [](const SizedGroup& g) {
    return right_aligned(g, texts_of(*g.group, &TextColumn::name));
  };
  const auto units = [](const SizedGroup& g) {
    return right_aligned(g, texts_of(*g.group, &TextColumn::unit));
  };
  std::string text = line_of(block, title) + line_of(block, names) + line_of(block, units);
  for (const TextRow& row : rows) {
    text += line_of(block, [&row](const SizedGroup& g) {
      const GroupCells& cells = row[g.index];
      return cells.spanning.empty() ? right_aligned(g, cells.cells) : spanned(g, cells.spanning);
    });
  }
  return text;
}

}  // namespace

std::string lay_out(const std::vector<ColumnGroup>& groups,
                    const std::vector<TextRow>& rows,
                    std::size_t max_width) {
  check_shape(groups, rows);
  if (groups.empty()) {
    return "";
  }
  std::vector<SizedGroup> all = sized_all(groups, rows, 2);
  if (width_of(all) > max_width) {
    all = sized_all(groups, rows, 1);
  }
  std::string text;
  std::vector<SizedGroup> block{all.front()};
  for (std::size_t i = 1; i < all.size(); ++i) {
    block.push_back(all[i]);
    if (block.size() > 2 && width_of(block) > max_width) {
      block.pop_back();
      text += block_text(block, rows) + "\n";
      block = {all.front(), all[i]};
    }
  }
  return text + block_text(block, rows);
}

}  // namespace viaduct
