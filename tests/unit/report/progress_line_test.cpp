#include "report/progress_line.hpp"

#include <gtest/gtest.h>

namespace viaduct {

TEST(ProgressLine, SaysCaseTimeAndExpectedEnd) {
  EXPECT_EQ(progress_line(2, 24, 12.2, 60, "all_reduce 1M float32"),
            "case 3 of 24, 12 s of about 60 s: all_reduce 1M float32");
}

TEST(ProgressLine, LeavesOutAnUnknownEnd) {
  EXPECT_EQ(progress_line(0, 24, 0, 0, "all_reduce 8"), "case 1 of 24, 0 s: all_reduce 8");
}

TEST(ProgressLine, NeverPromisesLessThanHasPassed) {
  EXPECT_EQ(progress_line(23, 24, 90, 60, "x"), "case 24 of 24, 90 s of about 90 s: x");
}

TEST(ProgressLine, CountsEndedCasesWhenNothingRuns) {
  EXPECT_EQ(progress_line(24, 24, 185, 185, ""), "case 24 of 24, 3 min 05 s of about 3 min 05 s");
}

TEST(ProgressLine, ShowsHours) {
  EXPECT_EQ(progress_line(0, 9, 60, 7620, "x"), "case 1 of 9, 60 s of about 2 h 07 min: x");
}

}  // namespace viaduct
