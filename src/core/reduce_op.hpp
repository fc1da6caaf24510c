#pragma once
// Reductions of operations that reduce.

#include <string_view>
#include <vector>

namespace viaduct {

enum class ReduceOp { sum, prod, min, max, avg, premulsum };

const char* name(ReduceOp op);

/// Throws Error(usage) with the nearest names.
ReduceOp parse_reduce_op(std::string_view text);

const std::vector<ReduceOp>& all_reduce_ops();

}  // namespace viaduct
