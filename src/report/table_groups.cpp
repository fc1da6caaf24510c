#include "report/table_groups.hpp"

#include "core/size_text.hpp"
#include "report/record_columns.hpp"
#include "report/verdict_index.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace viaduct {

namespace {

/// What tells tables apart.
auto table_key(const Measurement& m) {
  return std::make_tuple(m.engine,
                         m.c.operation,
                         m.c.datatype,
                         m.reduces,
                         m.c.reduction,
                         m.has_root,
                         m.c.root,
                         m.c.placement,
                         m.c.mode,
                         m.c.traffic.name,
                         m.c.window,
                         m.buffers.kind,
                         m.buffers.offset_bytes,
                         m.method,
                         m.group ? m.group->kind : "",
                         m.group ? 0 : m.ranks);
}

/// What tells the rows of one table apart.
auto row_key(const Measurement& m) {
  return std::make_tuple(
      m.c.size_bytes, m.group ? m.group->index : -1, m.from, m.to, m.c.ends, m.ranks);
}

/// Result files may hold many thousand records: nothing here looks through all of them for one.
class TableMaker {
 public:
  TableMaker(const Result& result, const std::vector<std::string>& paths)
      : verdicts_(result),
        paths_(paths.size()) {
    for (std::size_t i = 0; i < paths.size(); ++i) {
      path_places_[paths[i]] = i;
    }
  }

  void add(const Measurement& m) {
    const std::size_t path = path_places_.at(m.path);
    CaseRow& row = row_of(table_of(m), m, path);
    row.by_path[path] = &m;
    row.count = std::max(row.count, m.count);
    row.verdicts[path] = verdicts_.find(m);
  }

  std::vector<CaseTable> take() { return std::move(tables_); }

 private:
  using TableKey = decltype(table_key(Measurement{}));
  using RowKey = decltype(row_key(Measurement{}));

  std::size_t table_of(const Measurement& m) {
    const auto [found, is_new] = table_places_.emplace(table_key(m), tables_.size());
    if (is_new) {
      tables_.push_back(CaseTable{m, {}});
      row_places_.emplace_back();
    }
    return found->second;
  }

  /// A second record of the same case and path (of another launch, say) gets a row of its own
  /// rather than being lost.
  CaseRow& row_of(std::size_t table, const Measurement& m, std::size_t path) {
    std::vector<CaseRow>& rows = tables_[table].rows;
    std::vector<std::size_t>& places = row_places_[table][row_key(m)];
    for (const std::size_t place : places) {
      if (rows[place].by_path[path] == nullptr) {
        return rows[place];
      }
    }
    places.push_back(rows.size());
    CaseRow row{m.c, m.count, m.ranks, m.group, m.from, m.to, {}, {}};
    row.by_path.resize(paths_, nullptr);
    row.verdicts.resize(paths_, nullptr);
    rows.push_back(std::move(row));
    return rows.back();
  }

  VerdictIndex verdicts_;
  std::size_t paths_;
  std::unordered_map<std::string, std::size_t> path_places_;
  std::map<TableKey, std::size_t> table_places_;
  std::vector<std::map<RowKey, std::vector<std::size_t>>> row_places_;  ///< of each table
  std::vector<CaseTable> tables_;
};

}  // namespace

std::string size_text(const CaseTable& table, const CaseRow& row) {
  return table.knows_size || row.c.size_bytes > 0 ? format_size(row.c.size_bytes) : "-";
}

std::string count_text(const CaseTable& table, const CaseRow& row) {
  return table.knows_count || row.count > 0 ? std::to_string(row.count) : "-";
}

std::vector<std::string> path_order(const Result& result) {
  std::vector<std::string> names;
  std::unordered_set<std::string> known;
  const auto add = [&](const std::string& name) {
    if (known.insert(name).second) {
      names.push_back(name);
    }
  };
  for (const PathSpec& path : result.manifest.paths) {
    add(path.name);
  }
  for (const Measurement& measurement : result.measurements) {
    add(measurement.path);
  }
  return names;
}

std::vector<CaseTable> case_tables(const Result& result, const std::vector<std::string>& paths) {
  TableMaker maker(result, paths);
  for (const Measurement& measurement : result.measurements) {
    maker.add(measurement);
  }
  std::vector<CaseTable> tables = maker.take();
  for (CaseTable& table : tables) {
    table.knows_size = is_known(result.manifest, "size_bytes");
    table.knows_count = is_known(result.manifest, "count");
    table.knows_buffers = is_known(result.manifest, "buffers");
  }
  return tables;
}

}  // namespace viaduct
