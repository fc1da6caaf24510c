#pragma once
// The seeded pattern of a case, and what its result must be on the host: the plain computation that
// the kernels' twins and the tests compare with. Exact by construction (see core/pattern.hpp).

#include "core/case.hpp"
#include "core/pattern.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace viaduct {

/// Values, sign and contributors so that the reduction is exact in any order: narrow types bound
/// the number of contributors per element (of a sum: float8e4m3 16, float8e5m2 8, bfloat16 64),
/// wide types take every rank. Only avg of floats over a number of ranks that is no power of two is
/// rounded on the way, and has a tolerance. `reduces` false: values only travel, every rank
/// contributes.
Pattern make_pattern(std::uint64_t seed, int ranks, Datatype type, ReduceOp op, bool reduces);

/// Why no exact pattern is known for this reduction ("" when one is): avg in a type that does not
/// hold 1/ranks, say.
std::string why_no_pattern(int ranks, Datatype type, ReduceOp op);

/// Writes the bits of integer `value` as an element of `type`. Throws Error(internal) for a type
/// not handled on the host.
void store_element(void* at, Datatype type, std::int64_t value);

/// As store_element, for numerator / denominator with a positive denominator: integers truncated,
/// floats rounded to nearest even. A float must hold both exactly.
void store_quotient(void* at, Datatype type, std::int64_t numerator, std::int64_t denominator);

/// Writes what a right reduction over all ranks has in element `index`.
void store_reduced(void* at, Datatype type, const Pattern& pattern, std::uint64_t index);

/// Host twin of the fill kernel.
void fill_on_host(void* at,
                  std::uint64_t count,
                  Datatype type,
                  const Pattern& pattern,
                  int rank,
                  std::uint64_t source_first);

/// Host twin of the compare kernel: elements of the segment of the buffer at `at` that differ in
/// any bit, or, where the pattern tolerates a rounding of the reduction, by more than that.
std::uint64_t count_wrong_on_host(const void* at,
                                  Datatype type,
                                  const Pattern& pattern,
                                  const Segment& segment);

}  // namespace viaduct
