#include "topology/pair_class.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

HostTopology two_gpus(const std::string& forth, const std::string& back) {
  HostTopology topology;
  topology.gpus = {GpuTopology{.index = 0}, GpuTopology{.index = 1}};
  topology.distances = {{Distance{DistanceKind::self, 0}, *distance_from_label(forth)},
                        {*distance_from_label(back), Distance{DistanceKind::self, 0}}};
  return topology;
}

RankSeat seat(const std::string& host, int local_rank, const HostTopology* topology) {
  RankSeat seat;
  seat.host = host;
  seat.local_rank = local_rank;
  seat.gpu = static_cast<std::size_t>(local_rank);
  seat.topology = topology;
  return seat;
}

TEST(PairClass, IsTheDistanceOfTheGpusInsideAHost) {
  for (const char* word : {"NV18", "NV2", "PIX", "PXB", "PHB", "NODE", "SYS"}) {
    const HostTopology topology = two_gpus(word, word);
    EXPECT_EQ(pair_class(seat("a", 0, &topology), seat("a", 1, &topology)), word);
  }
}

TEST(PairClass, IsTheSameBothWays) {
  const HostTopology uneven = two_gpus("NV12", "NV10");
  EXPECT_EQ(pair_class(seat("a", 0, &uneven), seat("a", 1, &uneven)), "NV12");
  EXPECT_EQ(pair_class(seat("a", 1, &uneven), seat("a", 0, &uneven)), "NV12");
  const HostTopology half = two_gpus("", "PHB");
  EXPECT_EQ(pair_class(seat("a", 0, &half), seat("a", 1, &half)), "PHB");
  EXPECT_EQ(pair_class(seat("a", 1, &half), seat("a", 0, &half)), "PHB");
}

TEST(PairClass, SaysOneHostWhereDistancesAreUnknown) {
  const HostTopology unknown = two_gpus("", "");
  EXPECT_EQ(pair_class(seat("a", 0, &unknown), seat("a", 1, &unknown)), "one host");
  EXPECT_EQ(pair_class(seat("a", 0, nullptr), seat("a", 1, nullptr)), "one host");
  const HostTopology known = two_gpus("PIX", "PIX");
  RankSeat without_gpu = seat("a", 1, &known);
  without_gpu.gpu.reset();
  EXPECT_EQ(pair_class(seat("a", 0, &known), without_gpu), "one host");
}

TEST(PairClass, KeepsTwoRanksOnOneGpuApart) {
  const HostTopology known = two_gpus("PIX", "PIX");
  EXPECT_EQ(pair_class(seat("a", 1, &known), seat("a", 1, &known)), "same GPU");
}

TEST(PairClass, TellsRailsApartBetweenHosts) {
  const HostTopology known = two_gpus("NV18", "NV18");
  EXPECT_EQ(pair_class(seat("a", 1, &known), seat("b", 1, &known)), "other host, same rail");
  EXPECT_EQ(pair_class(seat("a", 0, &known), seat("b", 1, &known)), "other host, other rail");
}

TEST(PairClass, TellsHostsOfOneNameApartByTheRanksThatShareMemory) {
  const HostTopology known = two_gpus("NV18", "NV18");
  RankSeat here = seat("node", 0, &known);
  RankSeat there = seat("node", 1, &known);
  here.first_of_host = 0;
  there.first_of_host = 0;
  EXPECT_EQ(pair_class(here, there), "NV18");
  there.first_of_host = 8;
  EXPECT_EQ(pair_class(here, there), "other host, other rail");
}

}  // namespace
}  // namespace viaduct
