#pragma once
// What the sizes of one table come to: latency and bandwidth of each path, where two paths cross,
// and one sentence on each path against the first.

#include "report/table_groups.hpp"

#include <string>
#include <vector>

namespace viaduct {

/// Several lines, each ended; empty where there are too few sizes. Tables of groups of ranks or of
/// pairs have none: their rows differ in more than size.
std::string table_summary(const Result& result,
                          const CaseTable& table,
                          const std::vector<std::string>& paths);

}  // namespace viaduct
