#include "mpi/mpi_lane.hpp"

#include "core/error.hpp"
#include "mpi/mpi_control.hpp"
#include "mpi/mpi_session.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <unistd.h>

namespace viaduct {

namespace {

const Abandon never = [] { return false; };

class MpiLaneTest : public testing::Test {
 protected:
  static std::unique_ptr<Lane> make_lane(std::function<void(std::string)> on_hang = nullptr) {
    return make_mpi_lane("tcp", MPI_COMM_WORLD, MpiPlace{.local_size = 4}, std::move(on_hang));
  }

  static Reply ask(Lane& lane, const Request& request) {
    return call(lane, request, Deadline::after(60), never);
  }

  static Case case_of(const char* operation, std::uint64_t size_bytes) {
    Case c;
    c.operation = operation;
    c.size_bytes = size_bytes;
    return c;
  }

  std::unique_ptr<Control> control_ = make_mpi_control(MPI_COMM_WORLD, nullptr);
};

TEST_F(MpiLaneTest, LivesThroughAWholeCase) {
  const auto lane = make_lane();
  EXPECT_EQ(lane->path(), "tcp");
  const HelloReply hello = expect<HelloReply>(ask(*lane, HelloRequest{}));
  EXPECT_EQ(hello.pid, static_cast<int>(getpid()));
  EXPECT_EQ(hello.visible_gpus, 0);
  EXPECT_FALSE(hello.cpus.empty());
  expect<MakeIdReply>(ask(*lane, MakeIdRequest{}));
  const InitReply init = expect<InitReply>(ask(*lane, InitRequest{}));
  EXPECT_EQ(init.cpus, hello.cpus);
  EXPECT_GT(init.free_bytes, 0U);

  const Case c = case_of("all_gather", 4096);
  const auto described =
      expect<CaseDescription>(ask(*lane, DescribeRequest{c, BufferSpec{}, Method::viaduct}));
  EXPECT_EQ(described.skip_reason, "");
  EXPECT_EQ(described.size_bytes, 4096U);
  OpenSpec spec;
  spec.c = c;
  spec.slots = 4;
  const OpenResult opened = expect<OpenResult>(ask(*lane, OpenRequest{spec}));
  EXPECT_EQ(opened.wrong, 0U);
  EXPECT_EQ(opened.allocator, "host");
  const BatchSpec batch{.operations = 50, .replays = 1, .lead_in_operations = 10, .checked = true};
  const BatchResult result = expect<BatchResult>(ask(*lane, BatchRequest{batch}));
  ASSERT_EQ(result.samples_us.size(), 1U);
  EXPECT_GT(result.samples_us[0], 0);
  EXPECT_EQ(result.wrong, 0U);
  EXPECT_EQ(result.checked, "timed");
  expect<Done>(ask(*lane, CloseRequest{}));
  expect<Done>(ask(*lane, QuitRequest{}));
  EXPECT_TRUE(lane->is_alive());
}

TEST_F(MpiLaneTest, MeasuresWithinItsGroup) {
  // Ranks that alternate between two groups, the second time the other way round.
  const int group = control_->rank() % 2;
  const int in_group = (control_->size() - group + 1) / 2;
  const auto lane = make_lane();
  for (int launch = 0; launch < 2; ++launch) {
    const int place = control_->rank() / 2;
    InitRequest init;
    init.rank = launch == 0 ? place : in_group - 1 - place;
    init.ranks = in_group;
    init.group = group + launch;
    expect<InitReply>(ask(*lane, init));
    const Case c = case_of("all_gather", 4096);
    const auto described =
        expect<CaseDescription>(ask(*lane, DescribeRequest{c, BufferSpec{}, Method::viaduct}));
    EXPECT_DOUBLE_EQ(described.bus_factor, (in_group - 1.0) / in_group);
    OpenSpec spec;
    spec.c = c;
    EXPECT_EQ(expect<OpenResult>(ask(*lane, OpenRequest{spec})).wrong, 0U);
    expect<Done>(ask(*lane, CloseRequest{}));
  }
  expect<Done>(ask(*lane, QuitRequest{}));
}

TEST_F(MpiLaneTest, ARankOfNoGroupIsIdleUntilItJoinsOne) {
  const auto lane = make_lane();
  const bool is_idle = control_->rank() > 0;
  InitRequest alone;
  alone.ranks = is_idle ? 0 : 1;
  alone.group = 0;
  expect<InitReply>(ask(*lane, alone));
  lane->start(DescribeRequest{case_of("all_reduce", 8), BufferSpec{}, Method::viaduct});
  const Reply described = lane->finish(Deadline::after(60), never);
  EXPECT_EQ(std::holds_alternative<Failure>(described), is_idle);
  expect<InitReply>(ask(*lane, InitRequest{}));
  expect<CaseDescription>(
      ask(*lane, DescribeRequest{case_of("all_reduce", 8), BufferSpec{}, Method::viaduct}));
  expect<Done>(ask(*lane, QuitRequest{}));
}

TEST_F(MpiLaneTest, SkipsGraphsWithTheReason) {
  const auto lane = make_lane();
  ask(*lane, InitRequest{});
  Case c = case_of("all_reduce", 8);
  c.mode = Mode::graph;
  const auto described =
      expect<CaseDescription>(ask(*lane, DescribeRequest{c, BufferSpec{}, Method::viaduct}));
  EXPECT_NE(described.skip_reason.find("graph"), std::string::npos);
}

TEST_F(MpiLaneTest, FaultIsAnAnswer) {
  const auto lane = make_lane();
  lane->start(BatchRequest{});
  const Reply early = lane->finish(Deadline::after(60), never);
  EXPECT_EQ(std::get<Failure>(early).kind, ErrorKind::internal);
  ask(*lane, InitRequest{});
  lane->start(BatchRequest{});
  const Reply reply = lane->finish(Deadline::after(60), never);
  const auto* const failure = std::get_if<Failure>(&reply);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->kind, ErrorKind::usage);
  EXPECT_NE(failure->message.find("no case is open"), std::string::npos);
  EXPECT_TRUE(lane->is_alive());
}

TEST_F(MpiLaneTest, CaseThatDoesNotFitIsAnAnswerAndTheLaneLives) {
  const auto lane = make_lane();
  ask(*lane, InitRequest{});
  OpenSpec spec;
  spec.c = case_of("all_reduce", std::uint64_t{1} << 50U);
  lane->start(OpenRequest{spec});
  const Reply reply = lane->finish(Deadline::after(60), never);
  EXPECT_EQ(std::get<Failure>(reply).kind, ErrorKind::refused);
  spec.c = case_of("all_reduce", 4096);
  EXPECT_EQ(expect<OpenResult>(ask(*lane, OpenRequest{spec})).wrong, 0U);
}

TEST_F(MpiLaneTest, KilledLaneIsLost) {
  const auto lane = make_lane();
  lane->kill();
  lane->kill();
  EXPECT_FALSE(lane->is_alive());
  try {
    lane->start(HelloRequest{});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::lost);
  }
}

TEST_F(MpiLaneTest, OneRequestAtATime) {
  const auto lane = make_lane();
  EXPECT_THROW(lane->finish(Deadline::after(1), never), Error);
  lane->start(HelloRequest{});
  EXPECT_THROW(lane->start(HelloRequest{}), Error);
  EXPECT_NO_THROW(lane->finish(Deadline::after(1), never));
}

/// Rank 0 comes late to an operation of the others, which sit in MPI past their deadline.
TEST_F(MpiLaneTest, OperationThatDoesNotReturnIsReportedAtTheDeadline) {
  std::atomic<int> calls = 0;
  std::string said;
  const auto lane = make_lane([&](const std::string& message) {
    said = message;
    ++calls;
  });
  ask(*lane, InitRequest{});
  OpenSpec spec;
  spec.c = case_of("all_reduce", 4096);
  ask(*lane, OpenRequest{spec});
  control_->barrier(Deadline::after(30));
  lane->start(BatchRequest{});
  if (control_->rank() == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    EXPECT_NO_THROW(lane->finish(Deadline::after(30), never));
    EXPECT_EQ(calls, 0);
    return;
  }
  try {
    lane->finish(Deadline::after(0.5), never);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::lost);
    EXPECT_NE(error.message().find("phase batch"), std::string::npos) << error.message();
  }
  EXPECT_EQ(calls, 1);
  EXPECT_NE(said.find("0.5 s"), std::string::npos) << said;
  EXPECT_NE(said.find("MPI call"), std::string::npos) << said;
  EXPECT_FALSE(lane->is_alive());
}

TEST_F(MpiLaneTest, SingleCopyHasOneAnswerOnAllRanks) {
  const std::string own = why_no_single_copy(MPI_COMM_WORLD);
  const auto all = control_->all_gather(own, Deadline::after(30));
  for (const std::string& reason : all) {
    EXPECT_EQ(reason, own);
  }
  if (control_->size() == 1) {
    EXPECT_EQ(own, "");
  }
  if (!own.empty()) {
    EXPECT_NE(own.find("rank"), std::string::npos) << own;
  }
}

}  // namespace

}  // namespace viaduct
