#pragma once
// One measurement in words, for lists where the table around it does not say the rest.

#include "core/record.hpp"

#include <string>

namespace viaduct {

/// "all_reduce 1M float32 sum out-of-place stream", with root, traffic, group, ranks of a pair and
/// buffers where they say more.
std::string case_text(const Measurement& m);

/// The same on its path: "... on direct".
std::string case_and_path(const Measurement& m);

}  // namespace viaduct
