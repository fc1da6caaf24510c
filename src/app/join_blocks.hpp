#pragma once
// Joins the results of several launches, each with one path (the blocks of the mpi engine), into
// one. Pure.

#include "report/result_reader.hpp"

#include <string>
#include <vector>

namespace viaduct {

/// One launch of the plan in its order; `result` is what it left, empty file name: it left none.
struct BlockResult {
  std::string path;
  Result result;
  std::string failure;  ///< why it left nothing or not all; empty: fine
};

/// Samples of a case on a path are pooled over its blocks and summarized again; each block's median
/// shows in `launches`. The ratio of two paths pairs the n-th batch of the i-th block of one with
/// that of the other. A block that failed makes its cases lost, never silently fewer. Groups of
/// ranks stay apart. Records come case by case and group by group with the paths in `path_order`;
/// the first is the reference.
Result join_blocks(const std::vector<BlockResult>& blocks,
                   const std::vector<PathSpec>& path_order,
                   bool keep_samples);

}  // namespace viaduct
