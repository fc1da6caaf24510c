#pragma once
// What a person says of another tool's run beyond its text, held against what the text says. It
// knows rows, not how they were read nor where they go.

#include "baselines/baseline.hpp"

#include <optional>
#include <string>

namespace viaduct {

struct GivenFacts {
  std::optional<int> ranks;  ///< where the source does not say
  std::string operation;     ///< where the source does not say; empty: not known either
};

/// Puts both where the source says nothing, with a note that they were given. Throws Error(usage)
/// that names the file: an operation that is not known here; a source that says another value;
/// busbw / algbw of a cell that is not the factor of the operation on that many ranks (with the
/// ratio found and the one expected). Runs with a refusal are left alone.
void apply_given(const GivenFacts& given, Baseline& baseline);

}  // namespace viaduct
