#pragma once
// What the sizes of one table come to: latency and bandwidth of each path, where two paths cross,
// and one sentence on each path against the first.

#include "report/paths_block.hpp"
#include "report/table_groups.hpp"

#include <string>
#include <vector>

namespace viaduct {

/// Where the faster of a path and the first one changes for the last time.
struct Crossover {
  double size_bytes = 0;  ///< 0: nowhere
  std::string text;       ///< one sentence; empty: nowhere
};

/// One path in one table. Texts have no line end and are empty where there is nothing to say.
struct PathSummary {
  std::string path;
  std::string algorithm;  ///< what the library chose, by size
  std::string fit;        ///< t = latency + S / bandwidth
  Crossover crossover;
  std::string sentence;  ///< the path against the first one
  std::string verdict;   ///< of the largest size, which the sentence is about
};

/// One entry for each path; empty for tables of groups of ranks or of pairs: their rows differ in
/// more than size.
std::vector<PathSummary> summarize_table(const CaseTable& table,
                                         const std::vector<std::string>& paths,
                                         const Proofs& proofs);

/// Several lines, each ended.
std::string table_summary(const std::vector<PathSummary>& summaries);

}  // namespace viaduct
