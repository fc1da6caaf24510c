#include "worker/worker_process.hpp"

#include "lane/frame.hpp"
#include "worker_fixture.hpp"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <sstream>
#include <sys/socket.h>
#include <sys/wait.h>
#include <vector>

namespace viaduct {
namespace {

class WorkerProcessTest : public WorkerTest {
 protected:
  /// Lines of the report that begin with this word, without it. The worker has said hello first, so
  /// the report is whole.
  std::vector<std::string> inspected(const std::string& word) {
    {
      WorkerLane worker("direct", scripted("inspect"), "");
      call(worker, HelloRequest{}, Deadline::after(20), never);
    }
    std::vector<std::string> lines;
    std::istringstream in(read_file(folder_.file("worker.log")));
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with(word + " ")) {
        lines.push_back(line.substr(word.size() + 1));
      }
    }
    return lines;
  }
};

std::uint64_t mask_of(const std::vector<std::string>& lines, const std::string& name) {
  for (const std::string& line : lines) {
    if (line.starts_with(name)) {
      return std::stoull(line.substr(name.size()), nullptr, 16);
    }
  }
  ADD_FAILURE() << name << " is not reported";
  return 0;
}

TEST_F(WorkerProcessTest, GivesTheChildFourDescriptors) {
  // Without close-on-exec: only the closing in the child keeps these from it.
  const Descriptor leaked(::open("/dev/null", O_RDONLY));
  const Descriptor leaked_high(::fcntl(leaked.get(), F_DUPFD, 200));
  ASSERT_TRUE(leaked_high.is_open());
  const auto descriptors = inspected("fd");
  ASSERT_EQ(descriptors.size(), 4U) << ::testing::PrintToString(descriptors);
  const std::string log = std::filesystem::canonical(folder_.file("worker.log")).string();
  std::vector<std::string> sorted = descriptors;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted[0], "0 /dev/null");
  EXPECT_EQ(sorted[1], "1 " + log);
  EXPECT_EQ(sorted[2], "2 " + log);
  EXPECT_TRUE(sorted[3].starts_with("3 socket:")) << sorted[3];
}

TEST_F(WorkerProcessTest, GivesTheChildExactlyTheEnvironment) {
  ASSERT_EQ(::setenv("VIADUCT_TEST_INHERITED", "1", 1), 0);
  auto variables = inspected("env");
  ::unsetenv("VIADUCT_TEST_INHERITED");
  std::sort(variables.begin(), variables.end());
  const std::vector<std::string> expected{"NCCL_DEBUG_FILE=" + folder_.file("nccl.log"),
                                          "SCRIPT=inspect"};
  EXPECT_EQ(variables, expected);
}

TEST_F(WorkerProcessTest, ResetsSignals) {
  struct sigaction old_pipe {};

  struct sigaction ignore {};

  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &old_pipe);
  sigset_t blocked;
  sigset_t old_mask;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  sigaddset(&blocked, SIGTERM);
  ::sigprocmask(SIG_BLOCK, &blocked, &old_mask);
  const auto status = inspected("status");
  ::sigprocmask(SIG_SETMASK, &old_mask, nullptr);
  ::sigaction(SIGPIPE, &old_pipe, nullptr);
  EXPECT_EQ(mask_of(status, "SigBlk:"), 0U);
  // Two signals (32 and 33) belong to the C library, which keeps them to itself.
  constexpr std::uint64_t of_library = std::uint64_t{3} << 31U;
  EXPECT_EQ(mask_of(status, "SigIgn:") & ~of_library, 0U);
}

TEST_F(WorkerProcessTest, PutsTheChildIntoAGroupOfItsOwn) {
  const auto pid = inspected("pid");
  const auto group = inspected("group");
  ASSERT_EQ(group.size(), 1U);
  EXPECT_NE(group[0], std::to_string(::getpgrp()));
  WorkerProcess process(scripted("ok"));
  EXPECT_EQ(::getpgid(process.pid()), process.pid());
}

TEST_F(WorkerProcessTest, ItsSocketDoesNotBlockAndClosesOnExec) {
  WorkerProcess process(scripted("ok"));
  EXPECT_NE(::fcntl(process.socket(), F_GETFL) & O_NONBLOCK, 0);
  EXPECT_NE(::fcntl(process.socket(), F_GETFD) & FD_CLOEXEC, 0);
  std::array<char, 1> byte{};
  EXPECT_EQ(::recv(process.socket(), byte.data(), byte.size(), 0), -1);
  EXPECT_TRUE(errno == EAGAIN);
}

TEST_F(WorkerProcessTest, NamesAProgramThatIsNotThere) {
  WorkerStart start = scripted("ok");
  start.program = "/nowhere/viaduct-worker";
  const Error error = error_of([&] { WorkerProcess process(start); });
  EXPECT_EQ(error.kind(), ErrorKind::lost);
  expect_contains(error.message(), "'/nowhere/viaduct-worker': No such file or directory");
}

TEST_F(WorkerProcessTest, NamesALogThatCannotBeWritten) {
  WorkerStart start = scripted("ok");
  start.output_file = "/nowhere/worker.log";
  const Error error = error_of([&] { WorkerProcess process(start); });
  EXPECT_EQ(error.kind(), ErrorKind::io);
  expect_contains(error.message(), "'/nowhere/worker.log': No such file or directory");
}

TEST_F(WorkerProcessTest, AFailedStartLeaksNothing) {
  WorkerStart start = scripted("ok");
  start.program = "/nowhere/viaduct-worker";
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    // What other tests of this program have left is not this one's.
  }
  const Descriptor before(::dup(0));
  for (int i = 0; i < 50; ++i) {
    error_of([&] { WorkerProcess process(start); });
  }
  const Descriptor after(::dup(0));
  EXPECT_EQ(after.get(), before.get() + 1);
  EXPECT_LE(::waitpid(-1, nullptr, WNOHANG), 0) << "a zombie is left";
}

TEST_F(WorkerProcessTest, ReportsHowTheProcessEnded) {
  WorkerStart start = scripted("unknown-step");
  WorkerProcess process(start);
  const auto status = process.wait(Deadline::after(20));
  ASSERT_TRUE(status.has_value());
  EXPECT_EQ(describe_status(*status), "exit status 2");
  EXPECT_EQ(process.poll_status(), status);
  expect_contains(read_file(start.output_file), "unknown-step");
}

TEST_F(WorkerProcessTest, WaitingForALiveProcessEndsAtTheDeadline) {
  WorkerProcess process(scripted("ok"));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(process.wait(Deadline::after(0.2)).has_value());
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
  EXPECT_GE(waited.count(), 0.2);
  EXPECT_LT(waited.count(), 2.0);
}

TEST_F(WorkerProcessTest, KillEndsItAndWaitReaps) {
  WorkerProcess process(scripted("ok"));
  process.kill();
  process.kill();
  const auto status = process.wait(Deadline::after(5));
  ASSERT_TRUE(status.has_value());
  EXPECT_EQ(describe_status(*status), "signal 9 (Killed)");
  EXPECT_FALSE(exists(process.pid()));
}

TEST_F(WorkerProcessTest, DestructionLeavesNeitherProcessNorZombie) {
  pid_t pid = -1;
  {
    WorkerProcess process(scripted("ok"));
    pid = process.pid();
    EXPECT_TRUE(exists(pid));
  }
  EXPECT_FALSE(exists(pid));
}

TEST_F(WorkerProcessTest, AStatusThatSomebodyElseTookIsUnknownAndNotAHang) {
  WorkerProcess process(scripted("unknown-step"));
  int status = 0;
  ASSERT_EQ(::waitpid(process.pid(), &status, 0), process.pid());
  EXPECT_EQ(process.wait(Deadline::after(5)), unknown_wait_status);
  EXPECT_EQ(describe_status(unknown_wait_status), "a status that was not reported");
}

TEST(DescribeStatus, TellsExitFromSignal) {
  EXPECT_EQ(describe_status(1 << 8), "exit status 1");
  EXPECT_EQ(describe_status(0), "exit status 0");
  EXPECT_EQ(describe_status(SIGABRT), "signal 6 (Aborted)");
  EXPECT_EQ(describe_status(SIGSEGV | 0x80), "signal 11 (Segmentation fault)");
}

}  // namespace
}  // namespace viaduct
