#pragma once
// What in a run of another tool cannot be right, and what it leaves open: said in notes, or the
// reason to report none of its rows.

#include "baselines/baseline.hpp"
#include "baselines/operation_name.hpp"

#include <string>

namespace viaduct {

/// What the reader knows beyond the run itself.
struct RunFacts {
  KeyColumns columns;
  std::string failure;     ///< the line that says why the test ended early; empty: none
  std::string unreadable;  ///< of rows that are left out (RowFaults); empty: none
};

/// Sets the operation of rows, deduces it where nothing names it, empties placements that are no
/// measurement, and adds notes. Rules:
///
///   NO_DATA         no rows; the failure is the message, or why the rows cannot be read
///   TORN            rows that cannot be read
///   INVALID_LAUNCH  one rank, or busbw 0 in every cell of 1 GB/s and more
///   IMPLAUSIBLE     busbw or algbw above 20000 GB/s, more than any GPU's memory gives; or in
///                   place more than ten times as fast as out of place from 64 KiB on: no
///                   operation took place
///   FAILED          wrong elements in a row, or the footer says so
///   NOT_CHECKED     no cell was compared
///   DISAGREES       footer against rows (average by more than rounding explains, OK against wrong
///                   elements); busbw / algbw against operation and ranks
///   OUTLIER         a cell below 0.8 of both neighbouring sizes and of the other placement
void judge_run(BaselineRun& run, const RunFacts& facts);

/// Wrong elements, or a difference above which nccl-tests up to 2.11 failed.
bool has_wrong_data(const BaselineTimes& cell, const std::string& datatype);

}  // namespace viaduct
