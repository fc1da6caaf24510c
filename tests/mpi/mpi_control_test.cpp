#include "mpi/mpi_control.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <thread>

namespace viaduct {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double own_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

ErrorKind kind_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::internal;
}

class MpiControlTest : public testing::Test {
 protected:
  static Deadline soon() { return Deadline::after(30); }

  /// Text whose length and content depend on the rank; that of rank 0 is empty.
  static std::string text_of(int rank) {
    return std::string(static_cast<std::size_t>(rank) * 1000, static_cast<char>('a' + rank));
  }

  std::unique_ptr<Control> control_ = make_mpi_control(MPI_COMM_WORLD, nullptr);
  int rank_ = control_->rank();
  int size_ = control_->size();
};

TEST_F(MpiControlTest, BroadcastsFromEveryRoot) {
  for (int root = 0; root < size_; ++root) {
    const std::string own =
        rank_ == root ? "from " + std::to_string(root) + std::string(100'000, 'x') : "not this";
    EXPECT_EQ(control_->broadcast(own, root, soon()),
              "from " + std::to_string(root) + std::string(100'000, 'x'));
  }
  EXPECT_EQ(control_->broadcast("", 0, soon()), "");
}

TEST_F(MpiControlTest, AgreesOnMaximumAndSum) {
  const std::vector<double> own{static_cast<double>(rank_), -1.5 * rank_, 7.25};
  EXPECT_EQ(control_->max(own, soon()),
            (std::vector<double>{static_cast<double>(size_ - 1), 0.0, 7.25}));
  const double ranks = size_ * (size_ - 1) / 2.0;
  EXPECT_EQ(control_->sum(own, soon()), (std::vector<double>{ranks, -1.5 * ranks, 7.25 * size_}));
  EXPECT_TRUE(control_->max({}, soon()).empty());
}

TEST_F(MpiControlTest, GathersTextsInRankOrder) {
  std::vector<std::string> all;
  for (int rank = 0; rank < size_; ++rank) {
    all.push_back(text_of(rank));
  }
  const int root = size_ - 1;
  const auto gathered = control_->gather(text_of(rank_), root, soon());
  EXPECT_EQ(gathered, rank_ == root ? all : std::vector<std::string>{});
  EXPECT_EQ(control_->all_gather(text_of(rank_), soon()), all);
}

TEST_F(MpiControlTest, AlarmsReachTheOthersOnly) {
  if (rank_ == size_ - 1) {
    control_->raise_alarm(41);
    control_->raise_alarm(42);
  }
  control_->barrier(soon());
  const bool expected = size_ > 1 && rank_ != size_ - 1;
  const auto start = Clock::now();
  bool raised = false;
  while (!raised && seconds_since(start) < (expected ? 10.0 : 0.05)) {
    EXPECT_FALSE(control_->alarm_raised(40));
    raised = control_->alarm_raised(42);
  }
  EXPECT_EQ(raised, expected);
  EXPECT_FALSE(control_->alarm_raised(43));
  // Past alarms are forgotten.
  EXPECT_FALSE(control_->alarm_raised(42));
}

TEST_F(MpiControlTest, WaitingForALateRankDoesNotTakeACore) {
  control_->barrier(soon());
  const auto start = Clock::now();
  const double cpu = own_cpu_seconds();
  if (rank_ == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
  }
  control_->barrier(soon());
  if (size_ > 1) {
    EXPECT_GT(seconds_since(start), 0.35);
  }
  EXPECT_LT(own_cpu_seconds() - cpu, 0.2);
}

TEST_F(MpiControlTest, AbsentRankIsLostAtTheDeadline) {
  if (size_ == 1) {
    GTEST_SKIP() << "needs two ranks";
  }
  // A control of its own: what is given up here is never finished.
  auto control = make_mpi_control(MPI_COMM_WORLD, nullptr);
  if (rank_ == 0) {
    const auto start = Clock::now();
    try {
      control->barrier(Deadline::after(0.3));
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::lost);
      EXPECT_NE(error.message().find("0.3 s"), std::string::npos) << error.message();
      EXPECT_NE(error.message().find("; no sign of rank 1 on "), std::string::npos)
          << error.message();
    }
    EXPECT_GE(seconds_since(start), 0.3);
    EXPECT_LT(seconds_since(start), 5.0);
  }
  control_->barrier(soon());
}

/// Rank 1 comes to no barrier; the others say that they are there.
TEST_F(MpiControlTest, NamesOnlyTheRanksThatAreSilent) {
  if (size_ < 3) {
    GTEST_SKIP() << "needs three ranks";
  }
  auto control = make_mpi_control(MPI_COMM_WORLD, nullptr);
  if (rank_ != 1) {
    try {
      control->barrier(Deadline::after(0.3));
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      const std::string message = error.message();
      EXPECT_EQ(message.find("no sign of rank 1 on ") != std::string::npos, rank_ == 0) << message;
      EXPECT_EQ(message.find("rank 2"), std::string::npos) << message;
    }
  }
  control_->barrier(soon());
}

TEST_F(MpiControlTest, SignalEndsAWait) {
  if (size_ == 1) {
    GTEST_SKIP() << "needs two ranks";
  }
  auto control = make_mpi_control(MPI_COMM_WORLD, [] { return SIGTERM; });
  if (rank_ == 0) {
    EXPECT_EQ(kind_of([&] { control->broadcast("", 1, soon()); }), ErrorKind::interrupted);
  }
  control_->barrier(soon());
}

TEST_F(MpiControlTest, TwoControlsDoNotMeetEachOther) {
  auto other = make_mpi_control(MPI_COMM_WORLD, nullptr);
  other->raise_alarm(5);
  EXPECT_EQ(other->sum({1.0}, soon()), std::vector<double>{static_cast<double>(size_)});
  other->barrier(soon());
  EXPECT_FALSE(control_->alarm_raised(5));
  control_->barrier(soon());
}

}  // namespace

}  // namespace viaduct
