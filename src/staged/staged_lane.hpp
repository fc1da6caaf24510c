#pragma once
// A lane whose worker copies between its GPU and memory that it shares with this rank, and whose
// rank does the MPI in between: CUDA and MPI never share a process. Must not know CUDA.

#include "lane/lane.hpp"
#include "mpi/communicator.hpp"
#include "staged/task_server.hpp"
#include "staging/shared_block.hpp"
#include "worker/worker_lane.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace viaduct {

class StagedLane : public Lane {
 public:
  /// Starts the worker; it gets the shared memory as its own.
  using StartWorker = std::function<std::unique_ptr<WorkerLane>(int shared_memory)>;

  /// Each Init is collective over `parent`, whatever the groups: it makes the communicator of the
  /// request's group. A lane that ends without Quit abandons it: messages of the operation that was
  /// lost may still be on their way there, and no later lane meets them. Throws Error(lost).
  StagedLane(MPI_Comm parent, const StartWorker& start_worker);

  ~StagedLane() override { kill(); }

  // The server refers to block and communicator.
  StagedLane(const StagedLane&) = delete;
  StagedLane& operator=(const StagedLane&) = delete;

  [[nodiscard]] const std::string& path() const override { return worker_->path(); }

  /// Init throws Error(lost) when the other ranks do not come within a minute.
  void start(const Request& request) override;

  /// Serves the worker's tasks while it waits: a busy loop with yields while something goes on,
  /// short sleeps else. Never blocks in MPI.
  Reply finish(Deadline deadline, const Abandon& abandon) override;

  void kill() noexcept override;

  [[nodiscard]] bool is_alive() const override { return worker_->is_alive(); }

  bool wait_ended(Deadline deadline) override { return worker_->wait_ended(deadline); }

  [[nodiscard]] pid_t pid() const { return worker_->pid(); }

 private:
  void join(const InitRequest& request);
  Reply serve_until_reply(Deadline deadline, const Abandon& abandon);
  Reply expect_nothing_left(Reply reply);

  MPI_Comm parent_;
  staging::SharedBlock block_;
  std::optional<Communicator> comm_;  ///< of the group; empty before Init and of an idle rank
  std::optional<TaskServer> server_;  ///< the same
  std::unique_ptr<WorkerLane> worker_;
  Case described_;               ///< by the request under way
  bool may_have_tasks_ = false;  ///< the request under way is one in which the worker communicates
  bool is_ended_ = false;        ///< by Quit or kill()
};

}  // namespace viaduct
