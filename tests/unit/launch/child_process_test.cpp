#include "launch/child_process.hpp"

#include "core/deadline.hpp"
#include "core/error.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <pthread.h>
#include <string>
#include <thread>
#include <unistd.h>

namespace viaduct {

namespace {

LaunchLine shell(const std::string& script) {
  LaunchLine line;
  line.words = {"/bin/sh", "-c", script};
  return line;
}

/// A file that scripts write and tests read.
class NoteFile {
 public:
  NoteFile() {
    std::string name = (std::filesystem::temp_directory_path() / "viaduct-note-XXXXXX").string();
    const int descriptor = ::mkstemp(name.data());
    EXPECT_GE(descriptor, 0);
    ::close(descriptor);
    name_ = name;
  }

  ~NoteFile() { std::filesystem::remove(name_); }

  NoteFile(const NoteFile&) = delete;
  NoteFile& operator=(const NoteFile&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }

  [[nodiscard]] std::string text() const {
    std::ifstream stream(name_);
    std::string line;
    std::getline(stream, line);
    return line;
  }

  /// Waits until a script has written; the empty text after 20 s.
  [[nodiscard]] std::string wait_for_text() const {
    const Deadline deadline = Deadline::after(20);
    while (text().empty() && !deadline.has_passed()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return text();
  }

 private:
  std::string name_;
};

bool is_alive(int pid) {
  return ::kill(pid, 0) == 0 || errno != ESRCH;
}

/// Processes that init has not collected yet still count as there for a moment.
bool has_ended_soon(int pid) {
  const Deadline deadline = Deadline::after(20);
  while (is_alive(pid) && !deadline.has_passed()) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string text;
    std::getline(stat, text);
    const std::size_t name_end = text.rfind(')');
    if (name_end != std::string::npos && text.compare(name_end + 2, 1, "Z") == 0) {
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return !is_alive(pid);
}

}  // namespace

TEST(ChildProcess, ReturnsTheExitCode) {
  EXPECT_EQ(run_child(shell("exit 0"), 0).exit_code, 0);
  const ChildOutcome outcome = run_child(shell("exit 7"), 30.0);
  EXPECT_EQ(outcome.exit_code, 7);
  EXPECT_FALSE(outcome.timed_out);
  EXPECT_EQ(outcome.passed_signal, 0);
}

TEST(ChildProcess, ReportsASignalAsAShellDoes) {
  EXPECT_EQ(run_child(shell("kill -KILL $$"), 30.0).exit_code, 128 + SIGKILL);
}

TEST(ChildProcess, GivesTheEnvironmentAndNoInput) {
  LaunchLine line =
      shell("[ \"$VIADUCT_A\" = 'x y' ] && [ -z \"${VIADUCT_B+set}\" ] && ! read word");
  line.environment = {{"VIADUCT_A", "x y"}};
  line.unset = {"VIADUCT_B"};
  ::setenv("VIADUCT_B", "inherited", 1);
  EXPECT_EQ(run_child(line, 30.0).exit_code, 0);
  ::unsetenv("VIADUCT_B");
}

TEST(ChildProcess, RunsInAProcessGroupOfItsOwn) {
  const NoteFile note;
  ASSERT_EQ(run_child(shell("cut -d' ' -f5 /proc/$$/stat >" + note.name()), 30.0).exit_code, 0);
  EXPECT_NE(std::stoi(note.text()), ::getpgrp());
}

TEST(ChildProcess, NamesAProgramThatCannotBeStarted) {
  LaunchLine line;
  line.words = {"/no/such/program"};
  try {
    run_child(line, 1.0);
    FAIL() << "started a program that is not there";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(error.message(), "cannot start '/no/such/program': No such file or directory");
  }
}

TEST(ChildProcess, EndsAChildAtItsLimit) {
  const ChildOutcome outcome = run_child(shell("exec sleep 600"), 0.2);
  EXPECT_TRUE(outcome.timed_out);
  EXPECT_EQ(outcome.exit_code, 128 + SIGTERM);
}

TEST(ChildProcess, KillsTheWholeGroupOfAChildThatIgnoresTheSignal) {
  const NoteFile note;
  ChildLimits limits;
  limits.limit_s = 1.0;
  limits.grace_s = 0.3;
  const std::string script = "trap '' TERM; sleep 600 & echo $! >" + note.name() + "; wait; wait";
  const ChildOutcome outcome = run_child(shell(script), limits);
  EXPECT_TRUE(outcome.timed_out);
  EXPECT_EQ(outcome.exit_code, 128 + SIGKILL);
  ASSERT_FALSE(note.text().empty());
  EXPECT_TRUE(has_ended_soon(std::stoi(note.text())));
}

/// A "rank" is a child with the program's name: a copy of sleep.
TEST(ChildProcess, EndsALauncherThatOutlivesItsRanks) {
  std::string folder = (std::filesystem::temp_directory_path() / "viaduct-rank-XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  std::filesystem::copy_file("/bin/sleep", folder + "/viaduct-rank");
  ChildLimits limits;
  limits.limit_s = 60;
  limits.hung_s = 0.2;
  limits.look_s = 0.1;
  const ChildOutcome outcome =
      run_child(shell(folder + "/viaduct-rank 0.7; exec sleep 600"), limits);
  EXPECT_TRUE(outcome.hung);
  EXPECT_FALSE(outcome.timed_out);
  EXPECT_EQ(outcome.exit_code, 128 + SIGTERM);
  // While a rank runs, and where none was ever seen, the launcher is left alone.
  limits.hung_s = 0.01;
  EXPECT_FALSE(run_child(shell(folder + "/viaduct-rank 0.7; exit 3"), limits).hung);
  EXPECT_FALSE(run_child(shell("sleep 0.5"), limits).hung);
  std::filesystem::remove_all(folder);
}

TEST(ChildProcess, AsksTwiceBeforeItKills) {
  ChildLimits limits;
  limits.limit_s = 0.5;
  limits.repeat_s = 0.2;
  limits.grace_s = 30;
  const std::string script =
      "n=0; trap 'n=$((n+1)); [ $n -lt 2 ] || exit 9' TERM; while :; do sleep 0.05; done";
  const ChildOutcome outcome = run_child(shell(script), limits);
  EXPECT_TRUE(outcome.timed_out);
  EXPECT_EQ(outcome.exit_code, 9);
}

TEST(ChildProcess, PassesASignalOnAndWaitsForTheEnd) {
  const NoteFile note;
  const pthread_t caller = ::pthread_self();
  // To the thread that waits, because a test program has others; the programs have one.
  std::thread sender([&note, caller] {
    EXPECT_EQ(note.wait_for_text(), "ready");
    ::pthread_kill(caller, SIGINT);
  });
  const std::string script =
      "trap 'exit 9' TERM; echo ready >" + note.name() + "; while :; do sleep 0.05; done";
  const ChildOutcome outcome = run_child(shell(script), 60.0);
  sender.join();
  EXPECT_EQ(outcome.passed_signal, SIGINT);
  EXPECT_EQ(outcome.exit_code, 9);
  EXPECT_FALSE(outcome.timed_out);
}

TEST(ChildProcess, PutsTheSignalMaskBack) {
  sigset_t before;
  sigset_t after;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &before);
  run_child(shell("exit 0"), 30.0);
  ::pthread_sigmask(SIG_SETMASK, nullptr, &after);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) {
    EXPECT_EQ(::sigismember(&before, signal), ::sigismember(&after, signal)) << signal;
  }
}

TEST(ChildProcess, SeesTheEndEvenWhereEndsOfChildrenAreIgnored) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(run_child(shell("exit 5"), 30.0).exit_code, 5);
  std::signal(SIGCHLD, before);
}

}  // namespace viaduct
