#pragma once
// Alarms between ranks: eight bytes with the number of a step, sent without waiting for the
// receivers.

#include <mpi.h>

#include <cstdint>
#include <list>
#include <set>

namespace viaduct {

class AlarmBox {
 public:
  /// `comm` outlives the box and carries nothing else under the box's tag.
  explicit AlarmBox(MPI_Comm comm, int rank, int size);
  ~AlarmBox();

  AlarmBox(const AlarmBox&) = delete;
  AlarmBox& operator=(const AlarmBox&) = delete;

  void raise(std::uint64_t step);

  /// Whether another rank has raised an alarm of this step. Forgets those of earlier steps.
  bool is_raised(std::uint64_t step);

 private:
  struct Sent {
    std::uint64_t step = 0;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void receive_all();
  void forget_finished_sends();

  MPI_Comm comm_;
  int rank_;
  int size_;
  std::list<Sent> sent_;  ///< a list: MPI holds the address of the step until the send is done
  std::set<std::uint64_t> raised_;
};

}  // namespace viaduct
