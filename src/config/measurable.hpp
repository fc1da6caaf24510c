#pragma once
// Which datatypes and reductions this version measures: what every transport can do and the oracle
// can judge.

#include "core/datatype.hpp"
#include "core/reduce_op.hpp"

#include <string_view>

namespace viaduct {

bool is_measurable(Datatype type);

/// Throws Error(usage) that names the measurable ones, also for a known type that is not among
/// them.
Datatype parse_measurable_datatype(std::string_view text);
ReduceOp parse_measurable_reduction(std::string_view text);

}  // namespace viaduct
