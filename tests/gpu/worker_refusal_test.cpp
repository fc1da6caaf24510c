// What viaduct-worker says when it cannot work. Most of it needs no GPU.

#include "gpu/gpu_test.hpp"
#include "gpu/worker_pair.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <sys/wait.h>

namespace viaduct {
namespace {

constexpr double answer_s = 60;

class WorkerRefusal : public testing::Test {
 protected:
  /// A worker that sees no GPU whatever this machine has.
  WorkerLane& worker() {
    if (!lane_) {
      WorkerStart start{.program = worker_program(),
                        .environment = plain_environment(),
                        .output_file = folder_.path() / "out"};
      start.environment.insert_or_assign("CUDA_VISIBLE_DEVICES", std::string(""));
      lane_ = std::make_unique<WorkerLane>("test", start, "");
    }
    return *lane_;
  }

  Failure failure_of(const Request& request) {
    worker().start(request);
    return expect<Failure>(worker().finish(Deadline::after(answer_s), [] { return false; }));
  }

 private:
  ScratchFolder folder_;
  std::unique_ptr<WorkerLane> lane_;
};

TEST_F(WorkerRefusal, SaysThatNoGpuIsVisible) {
  const Failure failure = failure_of(HelloRequest{});
  EXPECT_EQ(failure.kind, ErrorKind::refused);
  EXPECT_NE(failure.message.find("no GPU visible"), std::string::npos) << failure.message;
}

TEST_F(WorkerRefusal, NamesBothProtocols) {
  const Failure failure = failure_of(HelloRequest{.version = protocol_version + 6});
  EXPECT_EQ(failure.kind, ErrorKind::refused);
  EXPECT_NE(failure.message.find(std::to_string(protocol_version + 6)), std::string::npos)
      << failure.message;
}

TEST_F(WorkerRefusal, KeepsTheOrderOfALife) {
  EXPECT_EQ(failure_of(InitRequest{}).kind, ErrorKind::usage);
  EXPECT_EQ(failure_of(DescribeRequest{}).kind, ErrorKind::usage);
  EXPECT_EQ(failure_of(OpenRequest{}).kind, ErrorKind::usage);
  EXPECT_EQ(failure_of(BatchRequest{}).kind, ErrorKind::usage);
  EXPECT_EQ(failure_of(CloseRequest{}).kind, ErrorKind::usage);
  EXPECT_TRUE(worker().is_alive());
}

TEST_F(WorkerRefusal, EndsInOrderWhenToldTo) {
  worker().start(QuitRequest{});
  expect<Done>(worker().finish(Deadline::after(answer_s), [] { return false; }));
}

struct Outcome {
  int status = -1;
  std::string output;
};

Outcome run(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) {
    return outcome;
  }
  std::array<char, 4096> piece{};
  while (std::fgets(piece.data(), piece.size(), pipe) != nullptr) {
    outcome.output += piece.data();
  }
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

TEST(WorkerByHand, SaysInOneLineWhoStartsIt) {
  const std::string program = fmt::format("'{}'", worker_program());
  for (const std::string& command :
       {program + " 3<&-", program + " 3</dev/null", program + " --help"}) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.status, 2) << command << "\n" << outcome.output;
    EXPECT_NE(outcome.output.find("started by viaduct-rank"), std::string::npos) << outcome.output;
    EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 1) << outcome.output;
  }
}

/// MPI and CUDA never share a process.
TEST(WorkerByHand, NeedsNoMpiLibrary) {
  const Outcome libraries = run(fmt::format("ldd '{}'", worker_program()));
  ASSERT_EQ(libraries.status, 0) << libraries.output;
  EXPECT_NE(libraries.output.find("libnccl.so"), std::string::npos) << libraries.output;
  EXPECT_NE(libraries.output.find("libcudart.so"), std::string::npos) << libraries.output;
  for (const char* library : {"libmpi", "libopen-rte", "libopen-pal", "libpmi"}) {
    EXPECT_EQ(libraries.output.find(library), std::string::npos) << libraries.output;
  }
}

}  // namespace
}  // namespace viaduct
