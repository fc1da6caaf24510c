#pragma once
// What a worker asks of its rank: one call of MPI on one slot of the memory that they share. Must
// not know MPI or CUDA.

#include "core/datatype.hpp"
#include "core/reduce_op.hpp"

#include <cstddef>
#include <cstdint>

namespace viaduct::staging {

/// Collective kinds work in place: MPI reads and writes the slot from its start. all_gather: blocks
/// in the order of ranks, each rank's own at its place. reduce_scatter: such blocks go in, and this
/// rank's comes out at the start.
enum class TaskKind : std::uint32_t {
  send,
  receive,
  all_reduce,
  all_gather,
  reduce_scatter,
  broadcast,
  reduce,
  barrier
};

constexpr TaskKind last_task_kind = TaskKind::barrier;

struct Task {
  TaskKind kind = TaskKind::barrier;
  std::uint32_t slot = 0;
  std::int32_t peer = 0;    ///< of send and receive; the root of broadcast and reduce
  std::uint64_t count = 0;  ///< elements where it reduces, else bytes; of one block where ranks
                            ///< have blocks
  Datatype type = Datatype::float32;  ///< only where it reduces
  ReduceOp op = ReduceOp::sum;        ///< the same
};

/// "send", "all_reduce", ...: for messages.
constexpr const char* name(TaskKind kind) {
  constexpr const char* names[] = {"send",
                                   "receive",
                                   "all_reduce",
                                   "all_gather",
                                   "reduce_scatter",
                                   "broadcast",
                                   "reduce",
                                   "barrier"};
  return names[static_cast<std::size_t>(kind)];
}

constexpr bool reduces(TaskKind kind) {
  return kind == TaskKind::all_reduce || kind == TaskKind::reduce_scatter ||
         kind == TaskKind::reduce;
}

/// Whether every rank has a block in the slot.
constexpr bool has_blocks(TaskKind kind) {
  return kind == TaskKind::all_gather || kind == TaskKind::reduce_scatter;
}

}  // namespace viaduct::staging
