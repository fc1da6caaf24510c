#pragma once
// The part of the text that is about pairs of ranks: matrices, who stands out, and links whose two
// directions share something.

#include "report/result_reader.hpp"

#include <string>

namespace viaduct {

/// One matrix for each path and pattern with the findings below it; empty for a result that is not
/// of `viaduct run pairs`. The findings are made again from the records, as they were when the run
/// ended: a partial file has them too.
std::string pairs_block(const Result& result);

/// Pairs on which both directions at once give less than 1.8 times one of them, by the whole
/// interval and at the largest size of the path; empty: none, or not measured.
std::string one_way_line(const Result& result);

}  // namespace viaduct
