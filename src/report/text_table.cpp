#include "report/text_table.hpp"

#include "report/footer.hpp"
#include "report/leg_columns.hpp"
#include "report/pair_records.hpp"
#include "report/pairs_block.hpp"
#include "report/peer_access_text.hpp"
#include "report/table_cells.hpp"
#include "report/table_groups.hpp"
#include "report/table_layout.hpp"
#include "report/table_summary.hpp"
#include "report/table_title.hpp"

#include <fmt/format.h>

namespace viaduct {

namespace {

constexpr std::size_t widest_table = 160;

/// Of pairs of ranks; more of them are shown as matrices only.
constexpr std::size_t most_pair_rows = 12;

/// What the rows of a table need besides the size to be told apart.
struct KeyColumns {
  bool groups = false;
  bool ranks = false;  ///< groups of several sizes
  bool pairs = false;
  bool gpus = false;  ///< pairs of GPUs of a host, not of ranks
};

KeyColumns key_columns_of(const CaseTable& table) {
  KeyColumns with;
  with.gpus = table.first.engine == Engine::copy;
  for (const CaseRow& row : table.rows) {
    with.groups = with.groups || row.group.has_value();
    with.ranks = with.ranks || row.ranks != table.first.ranks;
    with.pairs = with.pairs || row.from.has_value() || row.to.has_value();
  }
  return with;
}

ColumnGroup key_columns(const KeyColumns& with) {
  ColumnGroup group{"", {{"size", "bytes"}, {"count", ""}}};
  if (with.groups) {
    group.columns.push_back({"group", ""});
  }
  if (with.ranks) {
    group.columns.push_back({"ranks", ""});
  }
  if (with.pairs) {
    group.columns.push_back({"from", with.gpus ? "GPU" : "rank"});
    group.columns.push_back({"to", with.gpus ? "GPU" : "rank"});
  }
  return group;
}

std::string rank_text(const std::optional<int>& rank) {
  return rank ? fmt::format("{}", *rank) : "-";
}

GroupCells key_cells(const CaseTable& table, const CaseRow& row, const KeyColumns& with) {
  GroupCells key{{size_text(table, row), count_text(table, row)}, ""};
  if (with.groups) {
    key.cells.push_back(row.group ? row.group->name : "-");
  }
  if (with.ranks) {
    key.cells.push_back(fmt::format("{}", row.ranks));
  }
  if (with.pairs) {
    key.cells.push_back(rank_text(row.from));
    key.cells.push_back(rank_text(row.to));
  }
  return key;
}

std::string one_table(const CaseTable& table,
                      const std::vector<std::string>& paths,
                      const Proofs& proofs,
                      TableNotes& notes) {
  const KeyColumns with = key_columns_of(table);
  const ExtraColumns extra = extra_columns(table);
  std::vector<ColumnGroup> groups{key_columns(with)};
  for (std::size_t i = 0; i < paths.size(); ++i) {
    groups.push_back({paths[i], path_columns(extra, i > 0)});
  }
  const std::vector<LegColumns> legs = leg_columns(table);
  for (const LegColumns& of_path : legs) {
    groups.push_back(leg_group(of_path, paths));
  }
  std::vector<TextRow> rows;
  for (const CaseRow& row : table.rows) {
    TextRow cells{key_cells(table, row, with)};
    for (std::size_t i = 0; i < paths.size(); ++i) {
      cells.push_back(path_cells(row.by_path[i], row.verdicts[i], extra, i > 0, notes));
    }
    for (const LegColumns& of_path : legs) {
      cells.push_back(leg_cells(of_path, row));
    }
    rows.push_back(std::move(cells));
  }
  return table_title(table) + "\n" + lay_out(groups, rows, widest_table) +
         table_summary(summarize_table(table, paths, proofs));
}

}  // namespace

std::string text_table(const Result& result) {
  const std::vector<std::string> paths = path_order(result);
  const Proofs proofs = proofs_of(result);
  TableNotes notes;
  std::string text = run_title(result.manifest) + "\n" + peer_access_text(result.manifest);
  const bool is_matrix = is_of_pairs(result.manifest);
  for (const CaseTable& table : case_tables(result, paths)) {
    if (!is_matrix || table.rows.size() <= most_pair_rows) {
      text += one_table(table, paths, proofs, notes) + "\n";
    }
  }
  text += pairs_block(result);
  return text + footer(result, notes, paths.empty() ? "the first path" : paths.front());
}

}  // namespace viaduct
