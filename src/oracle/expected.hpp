#pragma once
// The seeded pattern of a case, and what its result must be on the host: the plain computation that
// the kernels' twins and the tests compare with. Exact by construction (see core/pattern.hpp).

#include "core/case.hpp"
#include "core/pattern.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace viaduct {

/// Bits, sign and contributors so that the reduction is exact in any order: narrow types bound the
/// number of non-zero contributors per element (float8e4m3 16, float8e5m2 8, bfloat16 256 in all),
/// wide types take every rank. `reduces` false: values only travel, every rank contributes.
Pattern make_pattern(std::uint64_t seed, int ranks, Datatype type, ReduceOp op, bool reduces);

/// Why no exact pattern is known for this reduction ("" when one is): avg in a type that does not
/// hold 1/ranks, say.
std::string why_no_pattern(int ranks, Datatype type, ReduceOp op);

/// Writes the bits of integer `value` as an element of `type`. Throws Error(internal) for a type
/// not handled on the host.
void store_element(void* at, Datatype type, std::int64_t value);

/// Host twin of the fill kernel.
void fill_on_host(void* at,
                  std::uint64_t count,
                  Datatype type,
                  const Pattern& pattern,
                  int rank,
                  std::uint64_t source_first);

/// Host twin of the compare kernel: elements of the segment of the buffer at `at` that differ in
/// any bit.
std::uint64_t count_wrong_on_host(const void* at,
                                  Datatype type,
                                  const Pattern& pattern,
                                  const Segment& segment);

}  // namespace viaduct
