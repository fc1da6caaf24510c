#include "lane/frame.hpp"
#include "worker/server.hpp"
#include "worker_fixture.hpp"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <string>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace viaduct {
namespace {

constexpr double patience_s = 20;

/// Processes whose parent ends become children of the test, which can then see how they ended.
class OrphanTest : public WorkerTest {
 protected:
  void SetUp() override { ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0); }

  void TearDown() override { ::prctl(PR_SET_CHILD_SUBREAPER, 0); }

  /// Ends as a rank that is killed does: no destructor runs.
  static void kill_and_reap(pid_t rank) {
    send_signal(rank, SIGKILL);
    ASSERT_EQ(::waitpid(rank, nullptr, 0), rank);
  }

  /// How the process ended; empty when it has not within 2 s.
  static std::optional<std::string> end_of(pid_t pid) {
    require_process(pid);
    int status = 0;
    const bool has_ended =
        becomes_true([&] { return ::waitpid(pid, &status, WNOHANG) == pid; }, 2.0);
    if (has_ended) {
      return describe_status(status);
    }
    send_signal(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return std::nullopt;
  }

  struct Family {
    pid_t rank = -1;
    pid_t worker = -1;
    pid_t holder = -1;
  };

  /// A process that starts a lane as a rank does, sends `request`, and waits to be killed. With
  /// `holds_socket` a process that outlives it, the holder, keeps its end of the socket open, so
  /// that no end-of-file comes.
  Family fork_rank(const std::string& script, const Request& request, bool holds_socket) {
    std::array<int, 2> pipe_ends{};
    EXPECT_EQ(::pipe(pipe_ends.data()), 0);
    const Descriptor read_end(pipe_ends[0]);
    Descriptor write_end(pipe_ends[1]);
    const pid_t rank = ::fork();
    if (rank == 0) {
      try {
        be_rank(script, request, holds_socket, write_end.get());
      } catch (...) {
        // Back in the test it would be a second test program.
        ::_exit(1);
      }
    }
    write_end.close();
    Family family;
    if (::read(read_end.get(), &family, sizeof(family)) != ssize_t(sizeof(family))) {
      ::waitpid(rank, nullptr, 0);
      throw Error(ErrorKind::lost, "the rank of the test did not start its worker");
    }
    return family;
  }

 private:
  [[noreturn]] void be_rank(const std::string& script,
                            const Request& request,
                            bool holds_socket,
                            int out) {
    WorkerLane worker("direct", scripted(script), "");
    call(worker, HelloRequest{}, Deadline::after(patience_s), never);
    worker.start(request);
    const pid_t holder = holds_socket ? ::fork() : -1;
    if (holder == 0) {
      wait_to_be_killed();
    }
    const Family family{::getpid(), worker.pid(), holder};
    if (::write(out, &family, sizeof(family)) != ssize_t(sizeof(family))) {
      ::_exit(1);
    }
    wait_to_be_killed();
  }

  [[noreturn]] static void wait_to_be_killed() {
    ::alarm(30);
    while (true) {
      ::pause();
    }
  }
};

TEST_F(OrphanTest, AnIdleWorkerLeavesWhenItsRankIsKilled) {
  const Family family = fork_rank("ok", MakeIdRequest{}, false);
  kill_and_reap(family.rank);
  EXPECT_TRUE(end_of(family.worker).has_value()) << "the worker is still there";
}

TEST_F(OrphanTest, AHangingWorkerLeavesWhenItsRankIsKilled) {
  const Family family = fork_rank("hang@batch", BatchRequest{}, false);
  kill_and_reap(family.rank);
  EXPECT_TRUE(end_of(family.worker).has_value()) << "the worker is still there";
}

TEST_F(OrphanTest, TheKernelKillsAWorkerWhoseSocketStaysOpen) {
  const Family family = fork_rank("hang@batch", BatchRequest{}, true);
  kill_and_reap(family.rank);
  EXPECT_EQ(end_of(family.worker), "signal 9 (Killed)");
  kill_and_reap(family.holder);
}

TEST_F(OrphanTest, TheWatchdogEndsAHangingWorkerAtEndOfFile) {
  WorkerProcess process(scripted("hang@hello"));
  const auto frame = make_frame(encode(Request(HelloRequest{})));
  ASSERT_EQ(::send(process.socket(), frame.data(), frame.size(), 0), ssize_t(frame.size()));
  EXPECT_FALSE(process.wait(Deadline::after(0.3)).has_value());
  ASSERT_EQ(::shutdown(process.socket(), SHUT_RDWR), 0);
  const auto status = process.wait(Deadline::after(2));
  ASSERT_TRUE(status.has_value()) << "the watchdog did not leave";
  EXPECT_EQ(describe_status(*status), "exit status 0");
}

TEST_F(OrphanTest, AWorkerIgnoresTheSignalsOfATerminal) {
  WorkerLane worker = lane("ok");
  call(worker, HelloRequest{}, Deadline::after(patience_s), never);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    send_signal(worker.pid(), signal);
  }
  EXPECT_NO_THROW(call(worker, MakeIdRequest{}, Deadline::after(patience_s), never));
}

TEST_F(OrphanTest, AProgramStartedByHandSaysSo) {
  const Descriptor file(::open("/dev/null", O_RDONLY));
  const Error error = error_of([&] { guard_against_orphaning(file.get()); });
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  expect_contains(error.message(), "started by viaduct-rank, not by hand");
}

/// The exit status of a worker that looks for its rank only after the rank has ended.
int status_of_late_worker(int control) {
  try {
    guard_against_orphaning(control);
  } catch (const Error& error) {
    return error.kind() == ErrorKind::lost ? 42 : 43;
  }
  return 44;
}

TEST_F(OrphanTest, ARankThatEndedBeforeTheGuardIsNoticed) {
  std::array<int, 2> pid_pipe{};
  ASSERT_EQ(::pipe(pid_pipe.data()), 0);
  const Descriptor read_end(pid_pipe[0]);
  const Descriptor write_end(pid_pipe[1]);
  const pid_t rank = ::fork();
  if (rank == 0) {
    std::array<int, 2> ends{};
    ::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data());
    const pid_t maker = ::getpid();
    const pid_t worker = ::fork();
    if (worker == 0) {
      // Both ends stay open here: only the number of the rank can tell.
      becomes_true([&] { return !exists(maker); }, patience_s);
      ::_exit(status_of_late_worker(ends[0]));
    }
    ::_exit(::write(write_end.get(), &worker, sizeof(worker)) == ssize_t(sizeof(worker)) ? 0 : 1);
  }
  ASSERT_EQ(::waitpid(rank, nullptr, 0), rank);
  pid_t worker = -1;
  ASSERT_EQ(::read(read_end.get(), &worker, sizeof(worker)), ssize_t(sizeof(worker)));
  EXPECT_EQ(end_of(worker), "exit status 42");
}

}  // namespace
}  // namespace viaduct
