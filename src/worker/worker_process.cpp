#include "worker/worker_process.hpp"

#include "core/error.hpp"
#include "worker/server.hpp"
#include "worker/spawn_setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <vector>

namespace viaduct {

namespace {

constexpr double reap_seconds = 2.0;

std::string system_text(int error) {
  return std::generic_category().message(error);
}

/// A number that dup2 onto 0 to 3 in the child cannot overwrite, nor the rank's own stdout if it
/// began without one.
Descriptor lift(Descriptor low, const char* what) {
  constexpr int first_free = 10;
  Descriptor high(::fcntl(low.get(), F_DUPFD_CLOEXEC, first_free));
  if (!high.is_open()) {
    throw Error(ErrorKind::lost,
                fmt::format("cannot start a worker: {}: {}", what, system_text(errno)));
  }
  return high;
}

struct SocketPair {
  Descriptor ours;
  Descriptor theirs;
};

SocketPair make_socket_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw Error(ErrorKind::lost,
                fmt::format("cannot start a worker: socketpair: {}", system_text(errno)));
  }
  const char* what = "its socket";
  Descriptor ours(ends[0]);
  Descriptor theirs(ends[1]);
  SocketPair pair{lift(std::move(ours), what), lift(std::move(theirs), what)};
  if (::fcntl(pair.ours.get(), F_SETFL, O_NONBLOCK) != 0) {
    throw Error(ErrorKind::lost,
                fmt::format("cannot start a worker: O_NONBLOCK: {}", system_text(errno)));
  }
  return pair;
}

Descriptor open_output(const std::string& file) {
  constexpr int mode = 0644;
  Descriptor output(
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, mode));
  if (!output.is_open()) {
    throw Error(ErrorKind::io,
                fmt::format("cannot write the worker's log '{}': {}", file, system_text(errno)));
  }
  return lift(std::move(output), "its log");
}

/// Closed when there is nothing to share.
Descriptor lift_shared(int number) {
  return number < 0 ? Descriptor() : lift(Descriptor(::dup(number)), "its shared memory");
}

Descriptor open_null() {
  Descriptor null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!null.is_open()) {
    throw Error(ErrorKind::lost, fmt::format("cannot open /dev/null: {}", system_text(errno)));
  }
  return lift(std::move(null), "/dev/null");
}

pid_t spawn(const WorkerStart& start, const Descriptor& control) {
  const Descriptor null = open_null();
  const Descriptor output = open_output(start.output_file);
  SpawnFileActions actions;
  actions.put(null.get(), STDIN_FILENO);
  actions.put(output.get(), STDOUT_FILENO);
  actions.put(output.get(), STDERR_FILENO);
  actions.put(control.get(), control_descriptor);
  const Descriptor shared = lift_shared(start.shared_memory);
  if (shared.is_open()) {
    actions.put(shared.get(), shared_memory_descriptor);
  }
  actions.close_from(shared.is_open() ? shared_memory_descriptor + 1 : shared_memory_descriptor);
  const SpawnAttributes attributes;
  std::string program = start.program;
  std::array<char*, 2> arguments{program.data(), nullptr};
  EnvironmentBlock environment(start.environment);
  pid_t pid = -1;
  const int error = ::posix_spawn(
      &pid, program.c_str(), actions.get(), attributes.get(), arguments.data(), environment.data());
  if (error != 0) {
    throw Error(ErrorKind::lost,
                fmt::format("cannot start the worker '{}': {}", start.program, system_text(error)));
  }
  return pid;
}

}  // namespace

std::string describe_status(int wait_status) {
  if (wait_status == unknown_wait_status) {
    return "a status that was not reported";
  }
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    return fmt::format("signal {} ({})", signal, ::strsignal(signal));
  }
  return fmt::format("exit status {}", WEXITSTATUS(wait_status));
}

WorkerProcess::WorkerProcess(const WorkerStart& start) {
  SocketPair pair = make_socket_pair();
  pid_ = spawn(start, pair.theirs);
  socket_ = std::move(pair.ours);
}

WorkerProcess::~WorkerProcess() {
  kill();
  wait(Deadline::after(reap_seconds));
}

std::optional<int> WorkerProcess::poll_status() {
  if (status_) {
    return status_;
  }
  siginfo_t info{};
  // Its number stays taken until it is reaped, so what it left in its group can be killed before
  // that.
  if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
    if (errno == ECHILD) {
      status_ = unknown_wait_status;
    }
    return status_;
  }
  if (info.si_pid == pid_) {
    ::kill(-pid_, SIGKILL);
    int status = 0;
    status_ = ::waitpid(pid_, &status, WNOHANG) == pid_ ? status : unknown_wait_status;
  }
  return status_;
}

std::optional<int> WorkerProcess::wait(Deadline deadline) {
  using std::chrono::microseconds;
  constexpr microseconds longest{10000};
  for (microseconds pause{100}; !poll_status() && !deadline.has_passed();) {
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, longest);
  }
  return status_;
}

void WorkerProcess::kill() noexcept {
  // Below 2 a number stands for many processes, not for a worker.
  if (!status_ && pid_ > 1) {
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
  }
}

}  // namespace viaduct
