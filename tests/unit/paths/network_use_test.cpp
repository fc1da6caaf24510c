#include "paths/network_use.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

TEST(ShowsNetwork, FindsChannelLinesOfANetwork) {
  EXPECT_TRUE(
      shows_network("h:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] [send] via NET/Socket/0\n"));
  EXPECT_TRUE(shows_network(
      "x\nh:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] [receive] via NET/IB/0/GDRDMA"));
  EXPECT_TRUE(shows_network("h:1:2 [0] NCCL INFO CollNet 00/0 : 0 [send] via COLLNET/SHARP/0\n"));
}

TEST(ShowsNetwork, IsNotMisledByOtherLines) {
  EXPECT_FALSE(shows_network(""));
  EXPECT_FALSE(shows_network("h:1:2 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB\n"));
  EXPECT_FALSE(shows_network("h:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM\n"));
  EXPECT_FALSE(
      shows_network("h:1:2 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via SHM/direct/direct\n"));
  EXPECT_FALSE(shows_network("Channel 00\nsomething via NET/\n"));
}

}  // namespace
}  // namespace viaduct
