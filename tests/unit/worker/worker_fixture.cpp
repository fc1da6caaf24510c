#include "worker_fixture.hpp"

#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <thread>
#include <unistd.h>

namespace viaduct {

WorkFolder::WorkFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "viaduct-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw Error(ErrorKind::io, "cannot make " + pattern);
  }
  folder_ = pattern;
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

WorkerStart WorkerTest::scripted(const std::string& script) const {
  return {VIADUCT_SCRIPTED_WORKER,
          {{"SCRIPT", script}, {"NCCL_DEBUG_FILE", folder_.file("nccl.log")}},
          folder_.file("worker.log")};
}

Error error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no Error was thrown";
  return Error(ErrorKind::internal, "");
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

bool never() {
  return false;
}

void require_process(pid_t pid) {
  if (pid <= 1) {
    throw Error(ErrorKind::internal, "no process of the test: " + std::to_string(pid));
  }
}

void send_signal(pid_t pid, int signal) {
  require_process(pid);
  if (::kill(pid, signal) != 0) {
    throw Error(ErrorKind::internal, "no signal could be sent to " + std::to_string(pid));
  }
}

bool exists(pid_t pid) {
  return pid > 1 && ::kill(pid, 0) == 0;
}

bool becomes_true(const std::function<bool()>& condition, double seconds) {
  const Deadline deadline = Deadline::after(seconds);
  while (!condition()) {
    if (deadline.has_passed()) {
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

std::string read_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace viaduct
