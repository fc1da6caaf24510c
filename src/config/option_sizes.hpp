#pragma once
// The sizes that -b -e -f -i and --sizes ask for.

#include "config/run_options.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace viaduct {

/// Empty when none of the options is given. `element_size`: where a factor sweep goes on after
/// zero.
std::optional<std::vector<std::uint64_t>> sizes_of_options(const RunOptions& options,
                                                           std::uint64_t element_size);

/// 8 B to 128 MiB, doubling.
std::vector<std::uint64_t> default_sizes();

/// Of the copy engine: 16 B, 64 KiB, 4 MiB, 256 MiB.
std::vector<std::uint64_t> default_copy_sizes();

}  // namespace viaduct
