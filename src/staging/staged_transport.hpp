#pragma once
// The verbs by way of host memory: GPU to a slot, MPI by the rank, slot to GPU, in chunks whose
// legs overlap. Each verb returns when it is done. Must not know CUDA or MPI.

#include "staging/chunk_line.hpp"
#include "transport/transport.hpp"

#include <string>
#include <vector>

namespace viaduct::staging {

class StagedTransport : public Transport {
 public:
  struct Place {
    int rank = 0;
    int ranks = 1;
  };

  /// Block and copies outlive this; the rank serves the block's tasks while a verb runs.
  StagedTransport(const SharedBlock& block, DeviceCopies& copies, const Place& place);
  ~StagedTransport() override = default;

  // The lines refer to the writer of tasks.
  StagedTransport(const StagedTransport&) = delete;
  StagedTransport& operator=(const StagedTransport&) = delete;

  /// Of the verbs that follow.
  void set_legs(const Legs& legs) { legs_ = legs; }

  /// No rank leaves before every rank has come, whatever the legs.
  void line_up();

  [[nodiscard]] int rank() const override { return place_.rank; }

  [[nodiscard]] int size() const override { return place_.ranks; }

  /// MPI takes small messages before anyone has come for them.
  [[nodiscard]] bool has_eager_sends() const override { return true; }

  /// What the rank's MPI cannot reduce is for the rank to say.
  [[nodiscard]] std::string why_not(const Case& c, bool reduces) const override;

  void all_reduce(
      const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op) override;
  void all_gather(const void* send, void* recv, std::size_t count, Datatype type) override;
  void reduce_scatter(
      const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op) override;
  void broadcast(const void* send, void* recv, std::size_t count, Datatype type, int root) override;
  void reduce(const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op, int root)
      override;
  void gather(const void* send, void* recv, std::size_t count, Datatype type, int root) override;
  void scatter(const void* send, void* recv, std::size_t count, Datatype type, int root) override;
  void alltoall(const void* send, void* recv, std::size_t count, Datatype type) override;
  void alltoallv(const void* send,
                 void* recv,
                 const ExchangeBlocks& blocks,
                 Datatype type) override;
  void barrier() override;
  void copy(const void* from, void* to, std::size_t bytes) override;
  void group_begin() override;
  void group_end() override;
  void send(const void* buffer, std::size_t count, Datatype type, int peer) override;
  void recv(void* buffer, std::size_t count, Datatype type, int peer) override;

 private:
  void run(ChunkSource& source, const Legs& legs);
  void run_group();
  void wait_for_lines();

  DeviceCopies& copies_;
  Place place_;
  Legs legs_;
  TaskWriter tasks_;
  ChunkLine out_;  ///< what is sent, and collectives
  ChunkLine in_;   ///< what is received
  int group_depth_ = 0;
  // Kept between groups, so that a group takes no memory once it has been this large.
  std::vector<Message> sends_;
  std::vector<Message> receives_;
};

}  // namespace viaduct::staging
