#include "report/leg_columns.hpp"

#include "report/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace viaduct {

namespace {

std::vector<std::string> names_of(const CaseTable& table, std::size_t path) {
  std::vector<std::string> names;
  for (const CaseRow& row : table.rows) {
    const Measurement* measurement = row.by_path.at(path);
    if (measurement != nullptr && !measurement->legs.empty()) {
      for (const Leg& leg : measurement->legs) {
        names.push_back(leg.name);
      }
      break;
    }
  }
  return names;
}

}  // namespace

std::vector<LegColumns> leg_columns(const CaseTable& table) {
  std::vector<LegColumns> columns;
  const std::size_t paths = table.rows.empty() ? 0 : table.rows.front().by_path.size();
  for (std::size_t path = 0; path < paths; ++path) {
    if (std::vector<std::string> names = names_of(table, path); !names.empty()) {
      columns.push_back({path, std::move(names)});
    }
  }
  return columns;
}

ColumnGroup leg_group(const LegColumns& columns, const std::vector<std::string>& paths) {
  ColumnGroup group{fmt::format("{}: each leg alone", paths.at(columns.path)), {}};
  for (const std::string& name : columns.names) {
    group.columns.push_back({name, "us"});
  }
  return group;
}

GroupCells leg_cells(const LegColumns& columns, const CaseRow& row) {
  GroupCells cells;
  const Measurement* measurement = row.by_path.at(columns.path);
  const std::vector<Leg> none;
  const std::vector<Leg>& legs = measurement == nullptr ? none : measurement->legs;
  for (const std::string& name : columns.names) {
    const auto leg =
        std::find_if(legs.begin(), legs.end(), [&](const Leg& one) { return one.name == name; });
    cells.cells.push_back(leg == legs.end() ? "-" : four_digits(leg->median_us));
  }
  return cells;
}

}  // namespace viaduct
