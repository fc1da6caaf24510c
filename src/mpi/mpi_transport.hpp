#pragma once
// The verbs over MPI, on host memory: each returns when it is done. The timed path is the plain MPI
// call.

#include "transport/transport.hpp"

#include <mpi.h>

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

  [[nodiscard]] std::string why_not(const Case& c) const override;

  void all_reduce(
      const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op) override;
  void all_gather(const void* send, void* recv, std::size_t count, Datatype type) override;
  void group_begin() override;
  void group_end() override;
  void send(const void* buffer, std::size_t count, Datatype type, int peer) override;
  void recv(void* buffer, std::size_t count, Datatype type, int peer) override;

 private:
  struct Message {
    void* buffer = nullptr;  ///< only read when sent
    std::size_t count = 0;
    Datatype type = Datatype::float32;
    int peer = 0;
  };

  void exchange(const Message& sent, const Message& received);
  void run_group();
  void start_receive(const Message& message);
  void start_send(const Message& message);

  MPI_Comm comm_;
  std::size_t largest_;
  int rank_ = 0;
  int size_ = 1;
  int group_depth_ = 0;
  // Kept between groups, so that a group takes no memory once it has been this large.
  std::vector<Message> sends_;
  std::vector<Message> receives_;
  std::vector<MPI_Request> requests_;
};

}  // namespace viaduct
