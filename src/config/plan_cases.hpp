#pragma once
// The list "cases" of a plan. Knows nothing of the rest of the plan.

#include "config/run_config.hpp"

#include <vector>

namespace viaduct {

class JsonPlace;

/// Throws Error(usage) with file, pointer and what is allowed.
std::vector<CaseBlock> read_case_blocks(const JsonPlace& list);

/// Rising, without repeats.
std::vector<std::uint64_t> sorted_sizes(std::vector<std::uint64_t> sizes);

}  // namespace viaduct
