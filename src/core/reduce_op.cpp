#include "core/reduce_op.hpp"

#include "core/name_table.hpp"

namespace viaduct {
namespace {

constexpr Named<ReduceOp> reductions[] = {
    {ReduceOp::sum, "sum"},
    {ReduceOp::prod, "prod"},
    {ReduceOp::min, "min"},
    {ReduceOp::max, "max"},
    {ReduceOp::avg, "avg"},
    {ReduceOp::premulsum, "premulsum"},
};

}  // namespace

const char* name(ReduceOp op) {
  return name_in(reductions, op);
}

ReduceOp parse_reduce_op(std::string_view text) {
  return value_in<ReduceOp>(reductions, "reduction", text);
}

const std::vector<ReduceOp>& all_reduce_ops() {
  static const std::vector<ReduceOp> ops = values_in<ReduceOp>(reductions);
  return ops;
}

}  // namespace viaduct
