#pragma once
// The verbs over MPI, on host memory: each returns when it is done. The timed path is the plain MPI
// call.

#include "mpi/counted_type.hpp"
#include "transport/transport.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace viaduct {

class MpiTransport : public Transport {
 public:
  /// The largest count that an argument of MPI can hold.
  static constexpr auto largest_count = static_cast<std::size_t>(std::numeric_limits<int>::max());

  /// `comm` outlives the transport and carries nothing else. `largest`: the largest count of one
  /// MPI call.
  explicit MpiTransport(MPI_Comm comm, std::size_t largest = largest_count);

  [[nodiscard]] int rank() const override { return rank_; }

  [[nodiscard]] int size() const override { return size_; }

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

  [[nodiscard]] bool has_eager_sends() const override { return true; }

 private:
  struct Message {
    void* buffer = nullptr;  ///< only read when sent
    std::size_t count = 0;
    Datatype type = Datatype::float32;
    int peer = 0;
  };

  /// How far the block of `rank` lies behind the first one.
  [[nodiscard]] static std::size_t block_start(std::size_t count, Datatype type, int rank) {
    return count * element_bytes(type) * static_cast<std::size_t>(rank);
  }

  [[nodiscard]] MPI_Datatype moved(Datatype type) const {
    return moved_[static_cast<std::size_t>(type)];
  }

  /// A block of calls that move one for every rank.
  [[nodiscard]] CountedBlock rank_block(std::size_t count, Datatype type) const;

  void exchange(const Message& sent, const Message& received);
  void run_group();
  void start_receive(const Message& message, MPI_Request* request);
  void start_send(const Message& message, MPI_Request* request);

  MPI_Comm comm_;
  std::size_t largest_;
  int rank_ = 0;
  int size_ = 1;
  int group_depth_ = 0;
  std::array<MPI_Datatype, datatype_count> moved_{};  ///< moved_type() without its branches
  // Kept between groups, so that a group takes no memory once it has been this large.
  std::vector<Message> sends_;
  std::vector<Message> receives_;
  std::vector<MPI_Request> requests_;
  std::array<std::vector<int>, 4> exchanged_;  ///< arguments of MPI_Alltoallv
};

}  // namespace viaduct
