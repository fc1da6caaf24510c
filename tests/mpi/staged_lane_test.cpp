#include "staged/staged_lane.hpp"

#include "core/error.hpp"
#include "core/staged_path.hpp"
#include "mpi/mpi_control.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace viaduct {

namespace {

const Abandon never = [] { return false; };

class StagedLaneTest : public testing::Test {
 protected:
  StagedLaneTest() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "viaduct-staged-XXXXXX").string();
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }

  ~StagedLaneTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  /// A worker of the loopback; `fault` as staged_worker_main.cpp says, on this rank.
  [[nodiscard]] std::unique_ptr<Lane> make_lane(const std::string& fault = "") const {
    return std::make_unique<StagedLane>(MPI_COMM_WORLD, [&](int shared_memory) {
      WorkerStart start;
      start.program = VIADUCT_STAGED_WORKER;
      start.environment = {{"FAULT", fault},
                           {transport_variable, std::string(staged_transport_word)}};
      start.output_file = (folder_ / "worker.log").string();
      start.shared_memory = shared_memory;
      return std::make_unique<WorkerLane>("staged", start, "");
    });
  }

  static Reply ask(Lane& lane, const Request& request) {
    return call(lane, request, Deadline::after(60), never);
  }

  void bring_up(Lane& lane) {
    ask(lane, HelloRequest{});
    EXPECT_EQ(expect<MakeIdReply>(ask(lane, MakeIdRequest{})).id, "");
    join(lane, {.group = -1, .rank = control_->rank(), .ranks = control_->size()});
  }

  struct Place {
    int group = -1;
    int rank = 0;
    int ranks = 1;
  };

  static void join(Lane& lane, const Place& place) {
    InitRequest init;
    init.group = place.group;
    init.rank = place.rank;
    init.ranks = place.ranks;
    expect<InitReply>(ask(lane, init));
  }

  /// Among every second rank.
  [[nodiscard]] Place place_in_half() const {
    const int group = control_->rank() % 2;
    return {
        .group = group, .rank = control_->rank() / 2, .ranks = (control_->size() - group + 1) / 2};
  }

  static Case case_of(const char* operation, std::uint64_t size_bytes) {
    Case c;
    c.operation = operation;
    c.size_bytes = size_bytes;
    return c;
  }

  static CaseDescription describe(Lane& lane, const Case& c) {
    return expect<CaseDescription>(ask(lane, DescribeRequest{c, BufferSpec{}, Method::viaduct}));
  }

  static void expect_right(Lane& lane, const Case& c) {
    SCOPED_TRACE(viaduct::describe(c));
    const CaseDescription described = describe(lane, c);
    ASSERT_EQ(described.skip_reason, "");
    OpenSpec spec;
    spec.c = c;
    spec.slots = 2;
    EXPECT_EQ(expect<OpenResult>(ask(lane, OpenRequest{spec})).wrong.value_or(0), 0U);
    const BatchSpec batch{.operations = 3, .lead_in_operations = 1, .checked = true};
    const auto result = expect<BatchResult>(ask(lane, BatchRequest{batch}));
    EXPECT_EQ(result.wrong.value_or(0), 0U);
    EXPECT_EQ(result.wrong.has_value(), described.size_bytes != 0);
    ASSERT_EQ(result.samples_us.size(), 1U);
    EXPECT_GT(result.samples_us[0], 0);
    EXPECT_EQ(result.legs_us.size(), 3U);
    expect<Done>(ask(lane, CloseRequest{}));
  }

  /// Opens a case, then runs a batch on which rank 0 has a fault. Every rank must get an Error
  /// within the time, and learns what it was.
  Error lose_in_batch(Lane& lane, double limit_s) {
    bring_up(lane);
    OpenSpec spec;
    spec.c = case_of("all_reduce", 4096);
    ask(lane, OpenRequest{spec});
    control_->barrier(Deadline::after(30));
    const Abandon abandon = [this] { return control_->alarm_raised(step_); };
    try {
      lane.start(BatchRequest{BatchSpec{.operations = 5}});
      const Reply reply = lane.finish(Deadline::after(limit_s), abandon);
      const auto* failure = std::get_if<Failure>(&reply);
      EXPECT_NE(failure, nullptr) << "the batch went through";
      return failure == nullptr ? Error(ErrorKind::internal, "none")
                                : leave(lane, Error(failure->kind, failure->message));
    } catch (const Error& error) {
      return leave(lane, error);
    }
  }

  /// As the session does: raise the alarm, end the lane.
  Error leave(Lane& lane, const Error& error) {
    control_->raise_alarm(step_);
    lane.kill();
    control_->barrier(Deadline::after(30));
    ++step_;
    return error;
  }

  /// On rank 0 the fault, else none.
  [[nodiscard]] std::string on_first(const std::string& fault) const {
    return control_->rank() == 0 ? fault : "";
  }

  std::unique_ptr<Control> control_ = make_mpi_control(MPI_COMM_WORLD, nullptr);
  std::filesystem::path folder_;
  std::uint64_t step_ = 1;
};

TEST_F(StagedLaneTest, CasesOfAllKindsAndSizesAreRight) {
  const auto lane = make_lane();
  EXPECT_EQ(lane->path(), "staged");
  bring_up(*lane);
  // Nothing, one element, no multiple of anything, several chunks, more than all slots together.
  for (const std::uint64_t size :
       {std::uint64_t{0}, std::uint64_t{4}, std::uint64_t{20'004}, std::uint64_t{3'000'004}}) {
    for (const char* operation :
         {"all_reduce", "all_gather", "sendrecv", "reduce_scatter", "alltoall", "broadcast"}) {
      expect_right(*lane, case_of(operation, size));
    }
  }
  for (const char* operation : {"all_reduce", "all_gather", "sendrecv"}) {
    expect_right(*lane, case_of(operation, 41'000'004));
  }
  expect<Done>(ask(*lane, QuitRequest{}));
  lane->kill();
}

TEST_F(StagedLaneTest, EveryTypeThatMpiReducesIsRight) {
  const auto lane = make_lane();
  bring_up(*lane);
  int reduced = 0;
  for (const Datatype type : all_datatypes()) {
    Case c = case_of("all_reduce", 600'000);
    c.datatype = type;
    const std::string reason = describe(*lane, c).skip_reason;
    if (reason.empty()) {
      expect_right(*lane, c);
      ++reduced;
    } else {
      EXPECT_EQ(reason, std::string("MPI has no reductions of ") + name(type));
    }
    c.operation = "all_gather";
    expect_right(*lane, c);
  }
  EXPECT_EQ(reduced, 8);
}

TEST_F(StagedLaneTest, SaysWhatItCannot) {
  const auto lane = make_lane();
  bring_up(*lane);
  Case c = case_of("all_reduce", 8);
  c.reduction = ReduceOp::avg;
  EXPECT_EQ(describe(*lane, c).skip_reason, "MPI has no reduction avg");
  EXPECT_EQ(describe(*lane, c).legs, "");
  c.reduction = ReduceOp::sum;
  EXPECT_EQ(describe(*lane, c).legs, "device_to_host,mpi,host_to_device");
  c.mode = Mode::graph;
  EXPECT_NE(describe(*lane, c).skip_reason.find("CUDA graph"), std::string::npos);
  EXPECT_NE(describe(*lane, case_of("barrier", 0)).skip_reason, "");
}

TEST_F(StagedLaneTest, MeasuresWithinItsGroup) {
  const auto lane = make_lane();
  ask(*lane, HelloRequest{});
  join(*lane, place_in_half());
  expect_right(*lane, case_of("all_gather", 12'000));
  expect_right(*lane, case_of("sendrecv", 2'000'000));
}

/// As pairs are measured: the workers stay, the groups change, and some ranks are idle meanwhile.
TEST_F(StagedLaneTest, ChangesItsGroupBetweenCases) {
  const auto lane = make_lane();
  bring_up(*lane);
  expect_right(*lane, case_of("all_reduce", 3'000'004));
  join(*lane, place_in_half());
  expect_right(*lane, case_of("all_reduce", 3'000'004));
  const bool is_idle = control_->rank() > 0;
  join(*lane, {.group = is_idle ? 1 : 0, .rank = 0, .ranks = is_idle ? 0 : 1});
  if (is_idle) {
    EXPECT_THROW(ask(*lane, OpenRequest{}), Error);
  } else {
    expect_right(*lane, case_of("sendrecv", 3'000'004));
  }
  join(*lane, {.group = -1, .rank = control_->rank(), .ranks = control_->size()});
  expect_right(*lane, case_of("all_gather", 3'000'004));
  expect<Done>(ask(*lane, QuitRequest{}));
}

TEST_F(StagedLaneTest, LaneInGoodOrderIsMadeAgainAsOftenAsWanted) {
  for (int launch = 0; launch < 4; ++launch) {
    const auto lane = make_lane();
    bring_up(*lane);
    expect_right(*lane, case_of("all_reduce", 1024));
    expect<Done>(ask(*lane, QuitRequest{}));
    lane->kill();
  }
}

/// One rank's worker dies in the middle of an operation of all: nobody hangs, the others say what
/// MPI was waiting for, as often as it happens.
TEST_F(StagedLaneTest, DeathOfAWorkerEndsTheLaneOnEveryRankEachTime) {
  for (int life = 0; life < 3; ++life) {
    const auto lane = make_lane(on_first("die"));
    const Error error = lose_in_batch(*lane, 20);
    EXPECT_EQ(error.kind(), ErrorKind::lost);
    if (control_->rank() == 0) {
      EXPECT_NE(error.message().find("signal 9"), std::string::npos) << error.message();
    } else {
      EXPECT_NE(error.message().find("another rank has lost this step"), std::string::npos)
          << error.message();
      EXPECT_NE(error.message().find("MPI has not ended: all_reduce of 2 float32"),
                std::string::npos)
          << error.message();
    }
    EXPECT_FALSE(lane->is_alive());
    EXPECT_TRUE(lane->wait_ended(Deadline::after(10)));
    EXPECT_THROW(lane->start(HelloRequest{}), Error);
  }
}

TEST_F(StagedLaneTest, SecondLifeMeetsNothingOfTheFirst) {
  const auto first = make_lane(on_first("die"));
  lose_in_batch(*first, 20);
  const auto second = make_lane();
  bring_up(*second);
  expect_right(*second, case_of("all_reduce", 4096));
  expect_right(*second, case_of("sendrecv", 3'000'004));
}

TEST_F(StagedLaneTest, WorkerThatNeverAnswersIsLostAtTheDeadline) {
  const auto lane = make_lane(on_first("stall"));
  const auto start = std::chrono::steady_clock::now();
  const Error error = lose_in_batch(*lane, 1.5);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(error.kind(), ErrorKind::lost);
  EXPECT_NE(error.message().find("phase batch"), std::string::npos) << error.message();
  EXPECT_LT(took.count(), 30);
}

/// The message that the worker waited for when it failed is still to come: the answer must not pass
/// for that of a lane that can go on.
TEST_F(StagedLaneTest, FailureInTheMiddleOfAnOperationEndsTheLane) {
  const auto lane = make_lane(on_first("fail"));
  const Error error = lose_in_batch(*lane, 20);
  if (control_->rank() == 0) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(error.message(),
              "the copy of chunk 3 failed; MPI has not ended: receive of 0 bytes from rank 0");
  }
  EXPECT_FALSE(lane->is_alive());
}

TEST_F(StagedLaneTest, TaskThatMakesNoSenseIsNotDone) {
  const auto lane = make_lane(on_first("nonsense"));
  const Error error = lose_in_batch(*lane, 20);
  EXPECT_EQ(error.kind(), ErrorKind::lost);
  if (control_->rank() == 0) {
    EXPECT_NE(error.message().find("kind 99"), std::string::npos) << error.message();
  }
}

}  // namespace

}  // namespace viaduct
