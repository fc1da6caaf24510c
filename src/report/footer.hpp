#pragma once
// The lines below the tables: what marks mean, why cases have no numbers, warnings, and how the run
// ended.

#include "report/result_reader.hpp"
#include "report/table_cells.hpp"

#include <string>

namespace viaduct {

/// Each of these is lines, each ended; empty where there is nothing to say.
std::string slow_ranks(const Result& result);
std::string health_lines(const Result& result);

/// A job with the same launch line runs on the launcher's mask, which may be narrower than the one
/// measured on.
std::string narrower_masks(const Manifest& manifest);

/// One line for each gate, below a heading.
std::string gates_block(const Result& result);

/// How the run ended, or that the file is partial.
std::string ending(const Result& result);

/// `reference` is the first path, against which ratios stand.
std::string footer(const Result& result, const TableNotes& notes, const std::string& reference);

}  // namespace viaduct
