#pragma once
// The table that people read: one row a case, the paths side by side, and the ratio of each path to
// the first.

#include "report/result_reader.hpp"

#include <string>

namespace viaduct {

/// Header (what ran where), one table for each operation, datatype, placement and mode, then a
/// footer: skipped and lost cases with reasons, warnings, how the run ended. Columns for each path:
/// time (us), interval (+- %), algbw, busbw (GB/s), wrong. The column of the ratio: time of path /
/// time of the first path [low, high].
std::string text_table(const Result& result);

}  // namespace viaduct
