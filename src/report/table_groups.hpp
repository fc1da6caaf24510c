#pragma once
// Puts the measurements of a result into tables: which belong into one table, which into one row.
// No text here.

#include "report/result_reader.hpp"

#include <optional>
#include <string>
#include <vector>

namespace viaduct {

/// One case in one group of ranks on every path. Points into the result that it was made from.
struct CaseRow {
  Case c;
  std::uint64_t count = 0;
  int ranks = 0;
  std::optional<RankGroup> group;
  std::optional<int> from;
  std::optional<int> to;
  std::vector<const Measurement*> by_path;  ///< in the order of the paths; nullptr: no record
  std::vector<const Verdict*> verdicts;     ///< of the same paths against the first; nullptr: none
};

/// Cases that differ only in size, in the group of ranks that ran them, and, for pairs, in their
/// two ranks.
struct CaseTable {
  Measurement first;  ///< stands for operation, datatype, reduction, root, traffic, placement,
                      ///< mode, buffers, method and, without groups, ranks
  std::vector<CaseRow> rows;
  bool knows_size = true;  ///< false: the manifest lists it as not known
  bool knows_count = true;
  bool knows_buffers = true;
};

/// Names of the paths: the manifest's order, then any that only measurements name.
std::vector<std::string> path_order(const Result& result);

/// "128M" and "33554432"; "-" where an imported source says neither.
std::string size_text(const CaseTable& table, const CaseRow& row);
std::string count_text(const CaseTable& table, const CaseRow& row);

/// Tables and rows in the order in which their first record came.
std::vector<CaseTable> case_tables(const Result& result, const std::vector<std::string>& paths);

}  // namespace viaduct
