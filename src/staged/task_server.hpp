#pragma once
// Does the tasks of a worker: each is one non-blocking call of MPI on a slot of the shared memory.
// Never waits. Must not know what the worker is or where its data come from.

#include "staging/shared_block.hpp"
#include "staging/task_queue.hpp"

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

namespace viaduct {

class TaskServer {
 public:
  /// `comm` carries nothing else and outlives the server, as the block does.
  TaskServer(const staging::SharedBlock& block, MPI_Comm comm);

  /// Starts the tasks that have come, tells the worker of those that have ended. True: something
  /// went on. Throws Error(mpi) of a failed call, Error(lost) for a task that makes no sense.
  bool serve();

  /// Tasks that MPI has not ended.
  [[nodiscard]] std::size_t under_way() const { return requests_.size(); }

  /// "receive of 65536 bytes from rank 1 and 3 more": what MPI has not ended; empty: nothing.
  [[nodiscard]] std::string waiting_for() const;

  /// Gives up what is under way. Receives that nothing has come for are cancelled; for the rest MPI
  /// may still use the slots: false then.
  bool give_up() noexcept;

 private:
  void start(const staging::NumberedTask& numbered);
  void expect_sense(const staging::Task& task) const;
  void start_message(const staging::Task& task, MPI_Request& request) const;
  void start_collective(const staging::Task& task, MPI_Request& request) const;
  void start_reduction(const staging::Task& task, MPI_Request& request) const;
  bool end_finished();
  void forget_ended();

  const staging::SharedBlock& block_;
  MPI_Comm comm_;
  int rank_ = 0;
  int ranks_ = 1;
  staging::TaskReader reader_;
  // One entry for each task under way.
  std::vector<MPI_Request> requests_;
  std::vector<staging::NumberedTask> tasks_;
  std::vector<int> ended_;  ///< places in the two
};

}  // namespace viaduct
