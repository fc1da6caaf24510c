#include "staging/staged_transport.hpp"

#include "core/error.hpp"
#include "staging/chunking.hpp"
#include "transport/grouped.hpp"

namespace viaduct::staging {

namespace {

constexpr std::size_t out_slot = 0;
constexpr std::size_t in_slot = slots_each_way;

Task reduction(TaskKind kind, Datatype type, ReduceOp op, int root = 0) {
  return {.kind = kind, .peer = root, .type = type, .op = op};
}

}  // namespace

StagedTransport::StagedTransport(const SharedBlock& block, DeviceCopies& copies, const Place& place)
    : copies_(copies),
      place_(place),
      tasks_(block),
      out_(block, tasks_, copies, out_slot),
      in_(block, tasks_, copies, in_slot) {}

std::string StagedTransport::why_not(const Case& c, bool /*reduces*/) const {
  if (c.operation == "barrier") {
    return "path staged moves memory of GPUs, and a barrier moves none; the mpi engine has one";
  }
  if (c.operation == "alltoall" && c.placement == Placement::in_place) {
    return "alltoall has no in-place form on path staged; the mpi engine has one";
  }
  if (size() > most_ranks_of_blocks) {
    return "path staged serves " + std::to_string(most_ranks_of_blocks) +
           " ranks at most; there are " + std::to_string(size());
  }
  return "";
}

void StagedTransport::all_reduce(
    const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op) {
  const std::uint64_t element = element_bytes(type);
  VectorChunks chunks({.down = send,
                       .up = recv,
                       .bytes = count * element,
                       .unit = element,
                       .task = reduction(TaskKind::all_reduce, type, op)});
  run(chunks, legs_);
}

void StagedTransport::all_gather(const void* send, void* recv, std::size_t count, Datatype type) {
  BlockChunks chunks({.down = send,
                      .up = recv,
                      .bytes = count * element_bytes(type),
                      .rank = rank(),
                      .ranks = size(),
                      .kind = TaskKind::all_gather});
  run(chunks, legs_);
}

void StagedTransport::reduce_scatter(
    const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op) {
  const std::uint64_t element = element_bytes(type);
  BlockChunks chunks({.down = send,
                      .up = recv,
                      .bytes = count * element,
                      .unit = element,
                      .rank = rank(),
                      .ranks = size(),
                      .kind = TaskKind::reduce_scatter,
                      .type = type,
                      .op = op});
  run(chunks, legs_);
}

void StagedTransport::broadcast(
    const void* send, void* recv, std::size_t count, Datatype type, int root) {
  const bool is_root = rank() == root;
  VectorChunks chunks({.down = is_root ? send : nullptr,
                       .up = is_root && send == recv ? nullptr : recv,
                       .bytes = count * element_bytes(type),
                       .task = {.kind = TaskKind::broadcast, .peer = root}});
  run(chunks, legs_);
}

void StagedTransport::reduce(
    const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op, int root) {
  const std::uint64_t element = element_bytes(type);
  VectorChunks chunks({.down = send,
                       .up = rank() == root ? recv : nullptr,
                       .bytes = count * element,
                       .unit = element,
                       .task = reduction(TaskKind::reduce, type, op, root)});
  run(chunks, legs_);
}

void StagedTransport::gather(
    const void* send, void* recv, std::size_t count, Datatype type, int root) {
  grouped::gather(*this, send, recv, count, type, root);
}

void StagedTransport::scatter(
    const void* send, void* recv, std::size_t count, Datatype type, int root) {
  grouped::scatter(*this, send, recv, count, type, root);
}

void StagedTransport::alltoall(const void* send, void* recv, std::size_t count, Datatype type) {
  grouped::alltoall(*this, send, recv, count, type);
}

void StagedTransport::alltoallv(const void* send,
                                void* recv,
                                const ExchangeBlocks& blocks,
                                Datatype type) {
  grouped::alltoallv(*this, send, recv, blocks, type);
}

/// Between host processes only: no operation of GPUs.
void StagedTransport::barrier() {
  throw Error(ErrorKind::usage, "a barrier was asked for; path staged has none");
}

void StagedTransport::line_up() {
  VectorChunks nothing({.task = {.kind = TaskKind::barrier}});
  run(nothing, Legs{});
}

void StagedTransport::copy(const void* from, void* to, std::size_t bytes) {
  if (bytes != 0) {
    copies_.copy_within(from, to, bytes);
  }
}

void StagedTransport::group_begin() {
  if (group_depth_++ == 0) {
    sends_.clear();
    receives_.clear();
  }
}

void StagedTransport::group_end() {
  if (group_depth_ == 0) {
    throw Error(ErrorKind::internal, "group_end() without group_begin()");
  }
  if (--group_depth_ == 0) {
    run_group();
  }
}

void StagedTransport::send(const void* buffer, std::size_t count, Datatype type, int peer) {
  group_begin();
  // Only read, but one record serves both directions.
  sends_.push_back({const_cast<void*>(buffer), count * element_bytes(type), peer});
  group_end();
}

void StagedTransport::recv(void* buffer, std::size_t count, Datatype type, int peer) {
  group_begin();
  receives_.push_back({buffer, count * element_bytes(type), peer});
  group_end();
}

void StagedTransport::run(ChunkSource& source, const Legs& legs) {
  out_.begin(source, legs);
  wait_for_lines();
}

void StagedTransport::run_group() {
  MessageChunks sends(sends_, TaskKind::send);
  MessageChunks receives(receives_, TaskKind::receive);
  out_.begin(sends, legs_);
  in_.begin(receives, legs_);
  wait_for_lines();
}

/// No deadline here: the rank has it, and ends this process when it passes.
void StagedTransport::wait_for_lines() {
  std::uint64_t waits = 0;
  while (!out_.is_finished() || !in_.is_finished()) {
    // What comes in first: receives that stand ready spare MPI a copy.
    const bool has_received = in_.step();
    const bool has_sent = out_.step();
    if (has_received || has_sent) {
      waits = 0;
    } else {
      copies_.pause(waits++);
    }
  }
}

}  // namespace viaduct::staging
