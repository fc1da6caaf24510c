#include "compare/configuration.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

SideConfiguration known() {
  SideConfiguration side;
  side.ranks = {"2"};
  side.hosts = {"1"};
  side.gpus = {"2 x NVIDIA H200"};
  side.nccl = {"2.28.3"};
  side.engine = {"nccl"};
  side.method = {"viaduct"};
  side.buffers = {"plain"};
  return side;
}

TEST(Configuration, FindsEveryDifference) {
  const SideConfiguration a = known();
  EXPECT_TRUE(check_configuration(a, a, {}).refused.empty());
  for (auto field : {&SideConfiguration::ranks,
                     &SideConfiguration::hosts,
                     &SideConfiguration::gpus,
                     &SideConfiguration::nccl,
                     &SideConfiguration::engine,
                     &SideConfiguration::method,
                     &SideConfiguration::buffers}) {
    SideConfiguration b = known();
    b.*field = {"other"};
    const ConfigurationCheck check = check_configuration(a, b, {});
    ASSERT_EQ(check.refused.size(), 1U);
    EXPECT_NE(check.refused[0].find("other"), std::string::npos);
  }
}

TEST(Configuration, MarksWhatIsAllowed) {
  SideConfiguration b = known();
  b.nccl = {"2.29.1"};
  const ConfigurationCheck check = check_configuration(known(), b, {"nccl"});
  EXPECT_TRUE(check.refused.empty());
  EXPECT_EQ(check.allowed, std::vector<std::string>{"nccl: 2.28.3 and 2.29.1"});
}

TEST(Configuration, NeverAllowsOtherRanks) {
  EXPECT_THROW((void)check_configuration(known(), known(), {"ranks"}), Error);
  EXPECT_THROW((void)check_configuration(known(), known(), {"ncl"}), Error);
}

TEST(Configuration, SaysWhatIsNotKnown) {
  SideConfiguration b = known();
  b.gpus.clear();
  const ConfigurationCheck check = check_configuration(known(), b, {});
  EXPECT_EQ(check.unknown, std::vector<std::string>{"gpus"});
  EXPECT_TRUE(check.refused.empty());
}

}  // namespace
}  // namespace viaduct
