#pragma once
// Starting and ending one worker process from its rank. posix_spawn from the main thread only;
// nothing of MPI's reaches the child but the control socket.

#include "core/deadline.hpp"
#include "worker/descriptor.hpp"

#include <map>
#include <optional>
#include <string>
#include <sys/types.h>

namespace viaduct {

struct WorkerStart {
  std::string program;                             ///< viaduct-worker
  std::map<std::string, std::string> environment;  ///< whole, as from worker_environment()
  std::string output_file;                         ///< stdout and stderr of the worker
  /// Passed on as shared_memory_descriptor (server.hpp); below 0: the worker gets none.
  int shared_memory = -1;
};

/// The status of a process that somebody else has reaped, or that was never reported (SIGCHLD
/// ignored).
constexpr int unknown_wait_status = -1;

/// How a process ended, in words: "exit status 1", "signal 6 (Aborted)".
std::string describe_status(int wait_status);

/// The child has its own process group, so that a terminal's Ctrl-C reaches the rank only. The
/// kernel ties the child's PR_SET_PDEATHSIG to the thread that starts it: that thread must live as
/// long as the rank does.
class WorkerProcess {
 public:
  /// Throws Error(lost) when it cannot be started, Error(io) when its output file cannot be
  /// written.
  explicit WorkerProcess(const WorkerStart& start);

  /// Kills it and waits up to 2 s for its end.
  ~WorkerProcess();

  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }

  /// This end of the control socket, non-blocking.
  [[nodiscard]] int socket() const { return socket_.get(); }

  /// Wait status once it has ended; empty while it runs.
  std::optional<int> poll_status();

  /// Waits for its end; empty when it has not ended by the deadline (a process in D state).
  std::optional<int> wait(Deadline deadline);

  /// SIGKILL to it and to whatever it started in its process group; does not wait.
  void kill() noexcept;

 private:
  pid_t pid_ = -1;
  Descriptor socket_;
  std::optional<int> status_;
};

}  // namespace viaduct
