#pragma once
// The verbs of one communicator. A device transport only enqueues; a host transport returns when it
// is done. Must not know MPI, CUDA, NCCL, timing or printing.

#include "core/case.hpp"
#include "core/datatype.hpp"
#include "core/reduce_op.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace viaduct {

/// Unequal blocks of an alltoallv; index is the peer. Counts and offsets are elements, offsets from
/// the start of the input and of the output.
struct ExchangeBlocks {
  std::span<const std::uint64_t> send_counts;
  std::span<const std::uint64_t> send_offsets;
  std::span<const std::uint64_t> recv_counts;
  std::span<const std::uint64_t> recv_offsets;
  /// No rank's input or output is longer. The same on every rank, so that all of them choose the
  /// same way to send.
  std::uint64_t most_elements = 0;
};

/// Counts are elements; where every rank has a block they are of one block, and blocks lie in the
/// order of ranks. An input is not changed unless input and output are one buffer: "in place" says
/// where a verb allows that.
class Transport {
 public:
  virtual ~Transport() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  /// Why this transport cannot do the operation ("" when it can): verb, datatype, reduction.
  /// `reduces`: the operation reduces; others only move bytes, whatever reduction the case names.
  [[nodiscard]] virtual std::string why_not(const Case& c, bool reduces) const = 0;

  /// In place: send == recv.
  virtual void all_reduce(
      const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op) = 0;

  /// In place: send is this rank's block of recv.
  virtual void all_gather(const void* send, void* recv, std::size_t count, Datatype type) = 0;

  /// In place: recv is this rank's block of send; the other blocks are undefined afterwards.
  virtual void reduce_scatter(
      const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op) = 0;

  /// `send` is read at the root only. In place: send == recv.
  virtual void broadcast(
      const void* send, void* recv, std::size_t count, Datatype type, int root) = 0;

  /// `recv` is written at the root only. In place: send == recv.
  virtual void reduce(
      const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op, int root) = 0;

  /// `recv` is written at the root only. In place: send is this rank's block of recv.
  virtual void gather(const void* send, void* recv, std::size_t count, Datatype type, int root) = 0;

  /// `send` is read at the root only. In place: recv is this rank's block of send.
  virtual void scatter(
      const void* send, void* recv, std::size_t count, Datatype type, int root) = 0;

  /// In place: send == recv, where why_not() has nothing against it.
  virtual void alltoall(const void* send, void* recv, std::size_t count, Datatype type) = 0;

  /// Never in place. What rank i sends to rank j must be what rank j receives from rank i.
  virtual void alltoallv(const void* send,
                         void* recv,
                         const ExchangeBlocks& blocks,
                         Datatype type) = 0;

  /// No rank leaves before every rank has come.
  virtual void barrier() = 0;

  /// Between two places of this rank's device that do not overlap, in the order of operations.
  virtual void copy(const void* from, void* to, std::size_t bytes) = 0;

  /// Sends and receives between group_begin and group_end progress together.
  virtual void group_begin() = 0;
  virtual void group_end() = 0;
  virtual void send(const void* buffer, std::size_t count, Datatype type, int peer) = 0;
  virtual void recv(void* buffer, std::size_t count, Datatype type, int peer) = 0;

  /// Whether a send may return before anyone has come for it. A sender that must not run ahead
  /// without end then waits for an answer.
  [[nodiscard]] virtual bool has_eager_sends() const { return false; }
};

}  // namespace viaduct
