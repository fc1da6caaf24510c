#include "probe/nearest_nic.hpp"

#include "unit/probe/sample_sys.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

TEST(NearestNic, IsTheOneAtTheSameSwitch) {
  const test::TemporaryTree tree;
  test::fill_sample_sys(tree);
  const auto nics = read_nearest_nics("00000000:17:00.0", tree.at(""));
  ASSERT_EQ(nics.size(), 1U);
  EXPECT_EQ(nics[0].name, "mlx5_0");
  EXPECT_EQ(label(nics[0].distance), "PIX");
  EXPECT_EQ(nics[0].rate_gbs, std::optional(50.0));
  EXPECT_EQ(nearest_nics_text(nics), "mlx5_0 (PIX)");
}

TEST(NearestNic, PrefersOneThatIsUpToANearerOneThatIsDown) {
  const test::TemporaryTree tree;
  test::fill_sample_sys(tree);
  const auto nics = read_nearest_nics("00010000:ae:00.0", tree.at(""));
  EXPECT_EQ(nearest_nics_text(nics), "mlx5_0 (SYS)");
}

TEST(NearestNic, IsUnknownForAGpuThatIsNotThere) {
  const test::TemporaryTree tree;
  test::fill_sample_sys(tree);
  EXPECT_TRUE(read_nearest_nics("0000:99:00.0", tree.at("")).empty());
  EXPECT_TRUE(read_nearest_nics("", tree.at("")).empty());
  EXPECT_EQ(nearest_nics_text({}), "");
}

}  // namespace
}  // namespace viaduct
