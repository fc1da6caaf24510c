#pragma once
// Which host, rail or other group of ranks is slower than the others on the same case and path.

#include "report/result_reader.hpp"

#include <string>

namespace viaduct {

/// "host node7", "rail 3", "ranks 0-3".
std::string group_text(const RankGroup& group);

/// Lines for the footer, each ended; empty without groups. Only groups of equally many ranks are
/// compared. Of four and more, each that stands out has a line for each path, with its worst case;
/// of two and three there is no telling which is odd, so one line for each path has the largest
/// ratio of slowest to fastest.
std::string slow_groups(const Result& result);

}  // namespace viaduct
