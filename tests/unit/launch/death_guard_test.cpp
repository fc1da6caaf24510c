#include "launch/death_guard.hpp"

#include "core/deadline.hpp"
#include "launch/child_process.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace viaduct {
namespace {

namespace fs = std::filesystem;

/// Ended, or ended and not yet waited for by whoever inherited it.
bool is_gone(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string word;
  std::string name;
  std::string state;
  return !(stat >> word >> name >> state) || state == "Z";
}

bool comes_true(const std::function<bool()>& what) {
  const Deadline deadline = Deadline::after(40);
  while (!what() && !deadline.has_passed()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return what();
}

class DeathGuardTest : public ::testing::Test {
 protected:
  DeathGuardTest() {
    std::string name = (fs::temp_directory_path() / "viaduct-guard-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    note_ = folder_ / "note";
  }

  ~DeathGuardTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  DeathGuardTest(const DeathGuardTest&) = delete;
  DeathGuardTest& operator=(const DeathGuardTest&) = delete;

  /// A process with a guard that runs this script; the script writes its own number first.
  [[nodiscard]] pid_t start(const std::string& script) const {
    const pid_t pid = ::fork();
    if (pid != 0) {
      return pid;
    }
    {
      DeathGuard guard;
      guard.watch_folder(folder_.string());
      LaunchLine line;
      line.words = {"/bin/sh", "-c", "echo $$ > " + note_.string() + "; " + script};
      ChildLimits limits;
      limits.guard = &guard;
      run_child(line, limits);
    }
    ::_exit(0);
  }

  /// The number that the script wrote.
  [[nodiscard]] pid_t child() const {
    pid_t pid = 0;
    comes_true([this, &pid] { return static_cast<bool>(std::ifstream(note_) >> pid); });
    return pid;
  }

  fs::path folder_;
  fs::path note_;
};

TEST_F(DeathGuardTest, EndsTheChildAndRemovesTheFolderOfAKilledProcess) {
  const pid_t pid = start("sleep 300 & wait");
  const pid_t script = child();
  ASSERT_GT(script, 0);
  ASSERT_FALSE(is_gone(script));
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  EXPECT_TRUE(comes_true([script] { return is_gone(script); }));
  EXPECT_TRUE(comes_true([this] { return !fs::exists(folder_); }));
}

TEST_F(DeathGuardTest, LeavesAllAsItIsWhenTheProcessEndsByItself) {
  const pid_t pid = start("true");
  ::waitpid(pid, nullptr, 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_TRUE(fs::exists(note_));
}

}  // namespace
}  // namespace viaduct
