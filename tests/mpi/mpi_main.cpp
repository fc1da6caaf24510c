// Runs the tests on every rank of an MPI job: rank 0 prints, the others only what failed; the exit
// code is the gravest.

#include "mpi/mpi_session.hpp"

#include <mpi.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

namespace {

/// An exception has no place.
std::string place_of(const testing::TestPartResult& result) {
  return result.file_name() == nullptr
             ? "thrown"
             : std::string(result.file_name()) + ":" + std::to_string(result.line_number());
}

/// What the silent ranks say: nothing but failures, each with its rank.
class FailurePrinter : public testing::EmptyTestEventListener {
 public:
  explicit FailurePrinter(int rank) : rank_(rank) {}

  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (result.failed()) {
      std::cerr << "rank " << rank_ << ": " << place_of(result) << ": " << result.message()
                << std::endl;
    }
  }

  void OnTestEnd(const testing::TestInfo& info) override {
    if (info.result()->Failed()) {
      std::cerr << "rank " << rank_ << ": FAILED " << info.test_suite_name() << "." << info.name()
                << std::endl;
    }
  }

 private:
  int rank_;
};

}  // namespace

int main(int argc, char** argv) {
  viaduct::MpiSession session(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  if (session.rank() != 0) {
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter(session.rank()));
  }
  int own = RUN_ALL_TESTS();
  int gravest = own;
  MPI_Allreduce(&own, &gravest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  session.finalize();
  return gravest;
}
