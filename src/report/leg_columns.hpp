#pragma once
// The columns of a table for the legs of a path's way, where its records have some: what each takes
// by itself, in microseconds. Which legs there are is not known here.

#include "report/table_groups.hpp"
#include "report/table_layout.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace viaduct {

/// The legs of one path in one table.
struct LegColumns {
  std::size_t path = 0;            ///< its place among the paths
  std::vector<std::string> names;  ///< in the order of the way
};

/// One entry for each path with legs; the names are those of its first record that has some.
std::vector<LegColumns> leg_columns(const CaseTable& table);

/// "staged: each leg alone" above the names.
ColumnGroup leg_group(const LegColumns& columns, const std::vector<std::string>& paths);

/// "-" for a leg that the record does not have.
GroupCells leg_cells(const LegColumns& columns, const CaseRow& row);

}  // namespace viaduct
