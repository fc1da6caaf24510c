#pragma once
// Our names for what other tools call their operations and datatypes, and which operation a table
// must be of when nothing names it.

#include "baselines/baseline.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

/// "all_reduce" for "all_reduce_perf", "./build/all_reduce_perf", "AllReduce", "all_reduce.cu".
/// Empty for any other word.
std::string operation_of(std::string_view word);

/// Every name that operation_of gives.
std::vector<std::string> operation_names();

/// "float32" for "float"; a word that is no type known here stays as it is.
std::string datatype_of(std::string_view word);

/// Bytes of an element of a type named as above; empty: not known.
std::optional<std::uint64_t> bytes_of_type(const std::string& datatype);

/// busbw / algbw of nccl-tests for an operation on n > 1 ranks (its doc/PERFORMANCE.md). Empty for
/// a name that is not known.
std::optional<double> bus_factor_of(const std::string& operation, int ranks);

/// Of a row, in bytes and elements; empty: not said, and not to be derived.
struct SizeAndCount {
  std::optional<std::uint64_t> size_bytes;
  std::optional<std::uint64_t> count;
};

/// The row's own, and a missing one from the other: size = count x bytes of the type, times ranks
/// where the operation's size is that of all ranks together (all_gather, reduce_scatter, ...).
SizeAndCount size_and_count(const BaselineRow& row,
                            const std::string& operation,
                            std::optional<int> ranks);

/// Which columns the table has: they differ by operation up to nccl-tests 2.11.
struct KeyColumns {
  bool are_uniform = true;  ///< both for every operation, from 2.13 on
  bool has_reduction = true;
  bool has_root = true;
};

/// The one operation whose columns, sizes and factor fit every row; empty when several fit or none.
std::string deduced_operation(const BaselineRun& run, const KeyColumns& columns);

/// Median of busbw / algbw over the cells with at least 0.5 GB/s; empty: there are none.
std::optional<double> measured_factor(const BaselineRun& run);

}  // namespace viaduct
