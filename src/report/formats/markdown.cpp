#include "report/footer.hpp"
#include "report/format.hpp"
#include "report/leg_columns.hpp"
#include "report/record_columns.hpp"
#include "report/remarks.hpp"
#include "report/table_cells.hpp"
#include "report/table_title.hpp"

#include <fmt/format.h>

namespace viaduct::formats {
namespace {

/// Nothing in a text may end a cell, begin a list or become a tag.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n' || c == '\r' || c == '\t') {
      out += ' ';
    } else if (c == '<') {
      out += "&lt;";
    } else {
      out += std::string_view("\\`*_[]|#>~").find(c) == std::string_view::npos ? "" : "\\";
      out += c;
    }
  }
  return out;
}

std::string line_of(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::vector<std::string> key_names(const CaseTable& table) {
  const bool has_pairs = table.first.from || table.first.to;
  std::vector<std::string> names{"size (bytes)", "count"};
  if (table.first.group) {
    names.emplace_back("group");
  }
  if (has_pairs) {
    names.emplace_back("from");
    names.emplace_back("to");
  }
  return names;
}

std::vector<std::string> key_cells(const CaseTable& table, const CaseRow& row) {
  const auto rank = [](const std::optional<int>& one) {
    return one ? fmt::format("{}", *one) : "-";
  };
  std::vector<std::string> cells{size_text(table, row), count_text(table, row)};
  if (table.first.group) {
    cells.push_back(row.group ? escaped(row.group->name) : "-");
  }
  if (table.first.from || table.first.to) {
    cells.push_back(rank(row.from));
    cells.push_back(rank(row.to));
  }
  return cells;
}

/// A case without numbers takes the cells of its path with its status and empty ones.
void append_cells(std::vector<std::string>& cells, const GroupCells& group, std::size_t columns) {
  if (group.spanning.empty()) {
    for (const std::string& cell : group.cells) {
      cells.push_back(escaped(cell));
    }
    return;
  }
  cells.push_back(escaped(group.spanning));
  cells.resize(cells.size() + columns - 1);
}

std::string table_text(const CaseTable& table,
                       const std::vector<std::string>& paths,
                       TableNotes& notes) {
  const ExtraColumns extra = extra_columns(table);
  std::vector<std::string> names = key_names(table);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    for (const TextColumn& column : path_columns(extra, i > 0)) {
      names.push_back(fmt::format("{} {}{}",
                                  escaped(paths[i]),
                                  column.name,
                                  column.unit.empty() ? "" : " (" + column.unit + ")"));
    }
  }
  const std::vector<LegColumns> legs = leg_columns(table);
  for (const LegColumns& of_path : legs) {
    for (const std::string& name : of_path.names) {
      names.push_back(fmt::format("{} {} (us)", escaped(paths[of_path.path]), escaped(name)));
    }
  }
  std::string text = fmt::format("### {}\n\n{}", escaped(table_title(table)), line_of(names));
  text += line_of(std::vector<std::string>(names.size(), "---:"));
  for (const CaseRow& row : table.rows) {
    std::vector<std::string> cells = key_cells(table, row);
    for (std::size_t i = 0; i < paths.size(); ++i) {
      append_cells(cells,
                   path_cells(row.by_path[i], row.verdicts[i], extra, i > 0, notes),
                   path_columns(extra, i > 0).size());
    }
    for (const LegColumns& of_path : legs) {
      append_cells(cells, leg_cells(of_path, row), of_path.names.size());
    }
    text += line_of(cells);
  }
  return text + "\n";
}

/// The lines of a text as a list.
std::string list_of_lines(const std::string& lines) {
  std::string text;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    text += "- " + escaped(lines.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return text;
}

std::string document(const Result& result) {
  const std::vector<std::string> paths = path_order(result);
  const std::vector<CaseTable> tables = case_tables(result, paths);
  std::string text = fmt::format("# Viaduct: {}\n\n{}", escaped(result.file), "");
  text += list_of_lines(run_title(result.manifest)) + "\n## Summary\n\n";
  for (const Remark& remark : remarks_on(result, tables, paths)) {
    const char* mark = remark.level == Remark::Level::bad    ? "**bad** "
                       : remark.level == Remark::Level::warn ? "**look** "
                                                             : "";
    text += fmt::format("- {}{}\n", mark, escaped(remark.text));
  }
  text += "\n## Results\n\n";
  TableNotes notes;
  for (const CaseTable& table : tables) {
    text += table_text(table, paths, notes);
  }
  return text + "## Notes\n\n" +
         list_of_lines(footer(result, notes, paths.empty() ? "the first path" : paths.front()));
}

std::string render(const std::vector<Result>& results) {
  std::string text;
  for (const Result& result : results) {
    text += text.empty() ? "" : "\n";
    text += document(result);
  }
  return text;
}

}  // namespace

const Format& markdown() {
  static constexpr Format entry{
      "markdown", "tables and summary for issues, wikis and pull requests", &render};
  return entry;
}

}  // namespace viaduct::formats
