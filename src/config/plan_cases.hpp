#pragma once
// The list "cases" of a plan. Knows nothing of the rest of the plan.

#include "config/run_config.hpp"

#include <cstdint>
#include <vector>

namespace viaduct {

class JsonPlace;

/// `default_roots`: of blocks without the key root; empty: every rank in turn. Throws Error(usage)
/// with file, pointer and what is allowed.
std::vector<CaseBlock> read_case_blocks(const JsonPlace& list,
                                        const std::vector<int>& default_roots = {0});

/// A number of bytes, or a size as on the command line: "4K".
std::uint64_t read_size(const JsonPlace& place);

/// The elements of a list, or what stands in the place of one.
std::vector<JsonPlace> one_or_more(const JsonPlace& place);

/// Rising, without repeats.
std::vector<std::uint64_t> sorted_sizes(std::vector<std::uint64_t> sizes);

}  // namespace viaduct
