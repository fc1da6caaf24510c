#pragma once
// The verbs of one communicator. A device transport only enqueues; a host transport returns when it
// is done. Must not know MPI, CUDA, NCCL, timing or printing.

#include "core/batch_spec.hpp"
#include "core/datatype.hpp"
#include "core/reduce_op.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace viaduct {

class Transport {
 public:
  virtual ~Transport() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  /// Why this transport cannot do the operation ("" when it can): verb, datatype, reduction.
  [[nodiscard]] virtual std::string why_not(const Case& c) const = 0;

  /// Counts are elements; for all_gather of the block that one rank sends.
  virtual void all_reduce(
      const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op) = 0;
  virtual void all_gather(const void* send, void* recv, std::size_t count, Datatype type) = 0;

  /// Sends and receives between group_begin and group_end progress together.
  virtual void group_begin() = 0;
  virtual void group_end() = 0;
  virtual void send(const void* buffer, std::size_t count, Datatype type, int peer) = 0;
  virtual void recv(void* buffer, std::size_t count, Datatype type, int peer) = 0;
};

}  // namespace viaduct
