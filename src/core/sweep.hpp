#pragma once
// The list of sizes of a sweep: by factor, by step, or as given.

#include <cstdint>
#include <optional>
#include <vector>

namespace viaduct {

/// min..max by factor or by step. Exactly one of the two is set. Zero legal as min: a factor sweep
/// then gives zero and goes on from `first_after_zero` (one element).
struct Sweep {
  std::uint64_t min_bytes = 0;
  std::uint64_t max_bytes = 0;
  std::optional<double> factor;
  std::optional<std::uint64_t> step_bytes;
  std::uint64_t first_after_zero = 4;
};

/// Sizes in rising order without repeats. Throws Error(usage): min above max, factor not above 1,
/// step 0, more than 100000 sizes. A non-integer factor rounds down to whole bytes and always grows
/// by one byte at least. Never overflows: the sweep ends at the largest size not above max_bytes.
std::vector<std::uint64_t> expand(const Sweep& sweep);

}  // namespace viaduct
