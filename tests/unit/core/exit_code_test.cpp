#include "core/exit_code.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace viaduct {
namespace {

TEST(ExitCode, FollowsTheKindOfError) {
  EXPECT_EQ(static_cast<int>(exit_code(ErrorKind::internal)), 1);
  EXPECT_EQ(static_cast<int>(exit_code(ErrorKind::mpi)), 1);
  EXPECT_EQ(static_cast<int>(exit_code(ErrorKind::cuda)), 1);
  EXPECT_EQ(static_cast<int>(exit_code(ErrorKind::nccl)), 1);
  EXPECT_EQ(static_cast<int>(exit_code(ErrorKind::io)), 1);
  EXPECT_EQ(static_cast<int>(exit_code(ErrorKind::usage)), 2);
  EXPECT_EQ(static_cast<int>(exit_code(ErrorKind::refused)), 3);
  EXPECT_EQ(static_cast<int>(exit_code(ErrorKind::lost)), 6);
}

TEST(ExitCode, InterruptionIsWhatAShellReports) {
  EXPECT_EQ(interrupted_exit_code(2), 130);
  EXPECT_EQ(interrupted_exit_code(15), 143);
}

TEST(ExitCode, TheGravestWins) {
  const ExitCode gravest_first[] = {ExitCode::internal,
                                    ExitCode::usage,
                                    ExitCode::refused,
                                    ExitCode::wrong_data,
                                    ExitCode::lost,
                                    ExitCode::contradicted,
                                    ExitCode::gate,
                                    ExitCode::ok};
  for (std::size_t i = 0; i < std::size(gravest_first); ++i) {
    for (std::size_t j = i; j < std::size(gravest_first); ++j) {
      EXPECT_EQ(graver(gravest_first[i], gravest_first[j]), gravest_first[i]);
      EXPECT_EQ(graver(gravest_first[j], gravest_first[i]), gravest_first[i]);
    }
  }
}

TEST(Error, KeepsKindMessageAndPlace) {
  const int line = __LINE__ + 1;
  const Error error(ErrorKind::io, "disk full");
  EXPECT_EQ(error.kind(), ErrorKind::io);
  EXPECT_STREQ(error.what(), "disk full");
  EXPECT_EQ(error.where().line, line);
  EXPECT_NE(std::string(error.where().file).find("exit_code_test.cpp"), std::string::npos);
}

TEST(Error, KindsHaveNames) {
  EXPECT_STREQ(name(ErrorKind::internal), "internal");
  EXPECT_STREQ(name(ErrorKind::io), "io");
  EXPECT_STREQ(name(ErrorKind::usage), "usage");
  EXPECT_STREQ(name(ErrorKind::refused), "refused");
  EXPECT_STREQ(name(ErrorKind::lost), "lost");
  EXPECT_STREQ(name(ErrorKind::mpi), "mpi");
  EXPECT_STREQ(name(ErrorKind::cuda), "cuda");
  EXPECT_STREQ(name(ErrorKind::nccl), "nccl");
  EXPECT_STREQ(name(ErrorKind::interrupted), "interrupted");
}

TEST(ExitCodeOfEvidence, ContradictedAlwaysUnknownOnlyWhenRequired) {
  PathSpec judged;
  judged.must = {{"same_host", "P2P"}};
  const PathSpec plain;
  EXPECT_EQ(exit_code(judged, EvidenceState::contradicted, false), ExitCode::contradicted);
  EXPECT_EQ(exit_code(judged, EvidenceState::unknown, false), ExitCode::ok);
  EXPECT_EQ(exit_code(judged, EvidenceState::unknown, true), ExitCode::contradicted);
  EXPECT_EQ(exit_code(judged, EvidenceState::proven, true), ExitCode::ok);
  EXPECT_EQ(exit_code(plain, EvidenceState::unknown, true), ExitCode::ok);
}

}  // namespace
}  // namespace viaduct
