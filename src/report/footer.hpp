#pragma once
// The lines below the tables: what marks mean, why cases have no numbers, warnings, and how the run
// ended.

#include "report/result_reader.hpp"
#include "report/table_cells.hpp"

#include <string>

namespace viaduct {

/// `reference` is the first path, against which ratios stand.
std::string footer(const Result& result, const TableNotes& notes, const std::string& reference);

}  // namespace viaduct
