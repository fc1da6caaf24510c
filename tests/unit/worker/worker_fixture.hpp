#pragma once
// What the tests of worker processes share: a folder of their own, a start of the scripted worker,
// and looks at processes.

#include "core/error.hpp"
#include "worker/worker_lane.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <sys/types.h>

namespace viaduct {

/// A folder that is removed with all it holds.
class WorkFolder {
 public:
  WorkFolder();
  ~WorkFolder();

  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const {
    return (folder_ / name).string();
  }

 private:
  std::filesystem::path folder_;
};

class WorkerTest : public ::testing::Test {
 protected:
  /// Environment: SCRIPT and NCCL_DEBUG_FILE, nothing else. Log: worker.log in the folder.
  [[nodiscard]] WorkerStart scripted(const std::string& script) const;

  [[nodiscard]] WorkerLane lane(const std::string& script) const {
    return WorkerLane("direct", scripted(script), folder_.file("nccl.log"));
  }

  WorkFolder folder_;
};

/// The Error that the action throws; a failure of the test when it throws none.
Error error_of(const std::function<void()>& action);

void expect_contains(const std::string& text, const std::string& part);

bool never();

/// Throws for a number that is no process of a test. -1 stands for all there are: what was never
/// started must not end others.
void require_process(pid_t pid);

/// To one process; checks the number first.
void send_signal(pid_t pid, int signal);

/// Whether a process or a zombie has this number.
bool exists(pid_t pid);

/// Looks until it is so or the time is over.
bool becomes_true(const std::function<bool()>& condition, double seconds);

std::string read_file(const std::string& file);

}  // namespace viaduct
