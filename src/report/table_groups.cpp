#include "report/table_groups.hpp"

#include <algorithm>
#include <tuple>

namespace viaduct {

namespace {

bool is_same_table(const Measurement& a, const Measurement& b) {
  const auto key = [](const Measurement& m) {
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
  };
  return key(a) == key(b);
}

CaseTable& table_of(std::vector<CaseTable>& tables, const Measurement& m) {
  const auto found = std::find_if(tables.begin(), tables.end(), [&m](const CaseTable& table) {
    return is_same_table(table.first, m);
  });
  if (found != tables.end()) {
    return *found;
  }
  tables.push_back(CaseTable{m, {}});
  return tables.back();
}

/// A second record of the same case and path (of another launch, say) gets a row of its own rather
/// than being lost.
CaseRow& row_of(CaseTable& table, const Measurement& m, std::size_t path, std::size_t paths) {
  const auto found = std::find_if(table.rows.begin(), table.rows.end(), [&](const CaseRow& row) {
    return row.c == m.c && row.group == m.group && row.from == m.from && row.to == m.to &&
           row.by_path[path] == nullptr;
  });
  if (found != table.rows.end()) {
    return *found;
  }
  CaseRow row{m.c, m.count, m.ranks, m.group, m.from, m.to, {}};
  row.by_path.resize(paths, nullptr);
  table.rows.push_back(row);
  return table.rows.back();
}

}  // namespace

std::vector<std::string> path_order(const Result& result) {
  std::vector<std::string> names;
  const auto add = [&names](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
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
  std::vector<CaseTable> tables;
  for (const Measurement& m : result.measurements) {
    const auto place = std::find(paths.begin(), paths.end(), m.path) - paths.begin();
    const auto path = static_cast<std::size_t>(place);
    CaseRow& row = row_of(table_of(tables, m), m, path, paths.size());
    row.by_path[path] = &m;
    row.count = std::max(row.count, m.count);
  }
  return tables;
}

const Verdict* verdict_on(const Result& result, const Measurement& m) {
  const auto found =
      std::find_if(result.verdicts.begin(), result.verdicts.end(), [&m](const Verdict& verdict) {
        return verdict.path == m.path && verdict.engine == m.engine && verdict.c == m.c &&
               verdict.method == m.method && verdict.ranks == m.ranks && verdict.group == m.group &&
               verdict.from == m.from && verdict.to == m.to;
      });
  return found == result.verdicts.end() ? nullptr : &*found;
}

}  // namespace viaduct
