#include "probe/gpus.hpp"

#include <gtest/gtest.h>

namespace viaduct {

namespace {

NvmlReport report_of(int gpus) {
  NvmlReport report;
  report.available = true;
  for (int index = 0; index < gpus; ++index) {
    NvmlGpu gpu;
    gpu.index = index;
    gpu.uuid = "GPU-" + std::string(1, static_cast<char>('a' + index)) + "0-1111";
    report.gpus.push_back(gpu);
  }
  return report;
}

}  // namespace

TEST(VisibleGpus, AreAllWhenTheVariableIsNotSet) {
  EXPECT_EQ(visible_gpus(report_of(8), "(unset)"), 8);
  EXPECT_EQ(visible_gpus(report_of(0), "(unset)"), 0);
}

TEST(VisibleGpus, AreNoneForAnEmptyValue) {
  EXPECT_EQ(visible_gpus(report_of(8), ""), 0);
}

TEST(VisibleGpus, AreThoseOfTheListInAnyOrder) {
  EXPECT_EQ(visible_gpus(report_of(8), "3"), 1);
  EXPECT_EQ(visible_gpus(report_of(8), "0,1,2,3"), 4);
  EXPECT_EQ(visible_gpus(report_of(8), "7,0"), 2);
  EXPECT_EQ(visible_gpus(report_of(8), " 1, 2 "), 2);
}

TEST(VisibleGpus, EndAtAnEntryThatIsNoGpu) {
  EXPECT_EQ(visible_gpus(report_of(2), "0,1,2,3"), 2);
  EXPECT_EQ(visible_gpus(report_of(4), "0,9,1"), 1);
  EXPECT_EQ(visible_gpus(report_of(4), "2,-1,1"), 1);
  EXPECT_EQ(visible_gpus(report_of(4), "-1"), 0);
  EXPECT_EQ(visible_gpus(report_of(4), "NoDevFiles"), 0);
  EXPECT_EQ(visible_gpus(report_of(4), "0,,1"), 1);
  EXPECT_EQ(visible_gpus(report_of(4), "0,1x"), 1);
}

TEST(VisibleGpus, AreNamedByUuidOrItsBeginning) {
  EXPECT_EQ(visible_gpus(report_of(4), "GPU-b0-1111"), 1);
  EXPECT_EQ(visible_gpus(report_of(4), "GPU-b,GPU-a0"), 2);
  EXPECT_EQ(visible_gpus(report_of(4), "GPU-a0-1111,GPU-zz"), 1);
  EXPECT_EQ(visible_gpus(report_of(4), "GPU-"), 0) << "several GPUs begin so";
}

TEST(VisibleGpus, AreNoneForAGpuGivenTwice) {
  EXPECT_EQ(visible_gpus(report_of(4), "1,1"), 0);
}

TEST(VisibleGpus, CountOneInstanceOfADividedGpu) {
  NvmlReport report = report_of(2);
  EXPECT_EQ(visible_gpus(report, "MIG-5c2a"), 0) << "no GPU is divided";
  report.gpus[1].mig_enabled = true;
  EXPECT_EQ(visible_gpus(report, "MIG-5c2a"), 1);
  EXPECT_EQ(visible_gpus(report, "MIG-GPU-b0-1111/1/0,MIG-GPU-b0-1111/2/0"), 1);
}

}  // namespace viaduct
