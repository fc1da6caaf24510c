#include "stats/distributions.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

TEST(NormalDistribution, HasTheTabulatedQuantiles) {
  EXPECT_NEAR(normal_quantile(0.975), 1.959964, 1e-6);
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-9);
  EXPECT_NEAR(normal_quantile(0.001), -3.090232, 1e-6);
  EXPECT_NEAR(normal_probability(1.959964), 0.975, 1e-7);
}

// Tables of Student's t, two-sided 95 % and 99.9 %.
TEST(StudentDistribution, HasTheTabulatedQuantiles) {
  EXPECT_NEAR(student_quantile(0.975, 1), 12.7062, 1e-3);
  EXPECT_NEAR(student_quantile(0.975, 2), 4.30265, 1e-4);
  EXPECT_NEAR(student_quantile(0.975, 8), 2.30600, 1e-4);
  EXPECT_NEAR(student_quantile(0.9995, 10), 4.58689, 1e-4);
  EXPECT_NEAR(student_quantile(0.975, 1e6), 1.95997, 1e-4);
  EXPECT_NEAR(student_quantile(0.025, 8), -2.30600, 1e-4);
}

TEST(StudentDistribution, InvertsItself) {
  for (const double degrees : {1.0, 2.5, 7.0, 40.0}) {
    for (const double p : {1e-7, 0.01, 0.3, 0.5, 0.9, 0.9999}) {
      EXPECT_NEAR(student_probability(student_quantile(p, degrees), degrees), p, 1e-9)
          << degrees << " " << p;
    }
  }
}

TEST(Distributions, RefuseWhatIsNoProbability) {
  EXPECT_THROW((void)normal_quantile(0), Error);
  EXPECT_THROW((void)normal_quantile(1), Error);
  EXPECT_THROW((void)student_quantile(0.5, 0), Error);
}

}  // namespace
}  // namespace viaduct
