#include "measure/launch_order.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

using Launches = std::vector<LaunchPaths>;

TEST(LaunchOrder, TogetherOpensEveryPathInEachLaunch) {
  EXPECT_EQ(launch_order(3, LanesMode::together, 2), (Launches{{0, 1, 2}, {0, 1, 2}}));
  EXPECT_EQ(launch_order(2, LanesMode::together, 0), (Launches{{0, 1}}));
}

TEST(LaunchOrder, SerialGoesForwardAndBackward) {
  EXPECT_EQ(launch_order(3, LanesMode::serial, 1), (Launches{{0}, {1}, {2}, {2}, {1}, {0}}));
}

TEST(LaunchOrder, SerialReopensAsOftenAsAsked) {
  EXPECT_EQ(launch_order(2, LanesMode::serial, 3), (Launches{{0}, {1}, {1}, {0}, {0}, {1}}));
}

}  // namespace
}  // namespace viaduct
