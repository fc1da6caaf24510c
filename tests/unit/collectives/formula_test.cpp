// algbw and busbw by the definitions of nccl-tests, computed by hand: S / t and the factors of the
// functions that end in GetBw there.

#include "collectives/collective.hpp"
#include "stats/bandwidth.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace viaduct {

namespace {

struct Row {
  const char* operation;
  int ranks;
  std::uint64_t size_bytes;
  double time_us;
  double algbw_gbs;
  double busbw_gbs;
};

constexpr std::uint64_t mib = 1024 * 1024;

/// 240 GB/s in 100 us, in whole blocks for 2, 3, 4 and 8 ranks.
constexpr std::uint64_t even = 24'000'000;

const Row rows[] = {
    {"all_reduce", 1, 8 * mib, 100, 83.88608, 0},
    {"all_reduce", 2, 8 * mib, 100, 83.88608, 83.88608},
    {"all_reduce", 3, 12'000'000, 60, 200, 266.66666666666669},
    {"all_reduce", 4, 1 * mib, 20, 52.4288, 78.6432},
    {"all_reduce", 8, 1024 * mib, 5000, 214.7483648, 375.8096384},
    {"all_reduce", 1024, 8, 10, 0.0008, 0.0015984375},
    {"all_gather", 1, 64 * mib, 300, 223.69621333333333, 0},
    {"all_gather", 2, 64 * mib, 300, 223.69621333333333, 111.84810666666667},
    {"all_gather", 4, 8 * mib, 100, 83.88608, 62.91456},
    {"all_gather", 8, 1024 * mib, 5000, 214.7483648, 187.9048192},
    {"all_gather", 6, 1'048'512, 16, 65.532, 54.61},
    {"sendrecv", 1, 16 * mib, 50, 335.54432, 335.54432},
    {"sendrecv", 2, 16 * mib, 50, 335.54432, 335.54432},
    {"sendrecv", 8, 6 * 1024 * mib, 40'000, 161.0612736, 161.0612736},
    {"sendrecv", 8, 0, 5, 0, 0},
    {"all_reduce", 2, even, 100, 240, 240},
    {"all_reduce", 3, even, 100, 240, 320},
    {"all_reduce", 4, even, 100, 240, 360},
    {"all_reduce", 8, even, 100, 240, 420},
    {"all_gather", 2, even, 100, 240, 120},
    {"all_gather", 3, even, 100, 240, 160},
    {"all_gather", 4, even, 100, 240, 180},
    {"all_gather", 8, even, 100, 240, 210},
    {"reduce_scatter", 2, even, 100, 240, 120},
    {"reduce_scatter", 3, even, 100, 240, 160},
    {"reduce_scatter", 4, even, 100, 240, 180},
    {"reduce_scatter", 8, even, 100, 240, 210},
    {"alltoall", 2, even, 100, 240, 120},
    {"alltoall", 3, even, 100, 240, 160},
    {"alltoall", 4, even, 100, 240, 180},
    {"alltoall", 8, even, 100, 240, 210},
    {"alltoallv", 2, even, 100, 240, 120},
    {"alltoallv", 3, even, 100, 240, 160},
    {"alltoallv", 4, even, 100, 240, 180},
    {"alltoallv", 8, even, 100, 240, 210},
    {"gather", 2, even, 100, 240, 120},
    {"gather", 3, even, 100, 240, 160},
    {"gather", 4, even, 100, 240, 180},
    {"gather", 8, even, 100, 240, 210},
    {"scatter", 2, even, 100, 240, 120},
    {"scatter", 3, even, 100, 240, 160},
    {"scatter", 4, even, 100, 240, 180},
    {"scatter", 8, even, 100, 240, 210},
    {"broadcast", 2, even, 100, 240, 240},
    {"broadcast", 3, even, 100, 240, 240},
    {"broadcast", 4, even, 100, 240, 240},
    {"broadcast", 8, even, 100, 240, 240},
    {"reduce", 2, even, 100, 240, 240},
    {"reduce", 3, even, 100, 240, 240},
    {"reduce", 4, even, 100, 240, 240},
    {"reduce", 8, even, 100, 240, 240},
    {"sendrecv", 2, even, 100, 240, 240},
    {"sendrecv", 3, even, 100, 240, 240},
    {"sendrecv", 4, even, 100, 240, 240},
    {"sendrecv", 8, even, 100, 240, 240},
    {"hypercube", 2, even, 100, 120, 120},
    {"hypercube", 4, even, 100, 180, 180},
    {"hypercube", 8, even, 100, 210, 210},
    {"pingpong", 2, even, 100, 240, 240},
    {"pair_unidirectional", 2, even, 100, 240, 240},
    {"pair_bidirectional", 2, even, 100, 480, 480},
    {"message_rate", 2, even, 100, 240, 240},
    {"message_rate", 8, even, 100, 960, 960},
    {"barrier", 2, 0, 4, 0, 0},
    {"barrier", 8, 0, 9, 0, 0},
};

TEST(Formula, AgreesWithNcclTests) {
  for (const Row& row : rows) {
    SCOPED_TRACE(std::string(row.operation) + " on " + std::to_string(row.ranks) + " ranks");
    const Collective& entry = collectives::get(row.operation);
    const double in_algbw =
        entry.alg_factor != nullptr ? entry.alg_factor(row.ranks, Traffic{}) : 1;
    const double in_busbw = entry.bus_factor(row.ranks, Traffic{});
    EXPECT_DOUBLE_EQ(algbw_gbs(row.size_bytes, row.time_us) * in_algbw, row.algbw_gbs);
    EXPECT_DOUBLE_EQ(busbw_gbs(row.size_bytes, row.time_us, in_busbw), row.busbw_gbs);
  }
}

double alltoallv_factor(int ranks, const Traffic& traffic) {
  return collectives::get("alltoallv").bus_factor(ranks, traffic);
}

Traffic matrix(std::vector<double> weights) {
  return Traffic{.name = "matrix.txt", .weights = std::move(weights)};
}

TEST(Formula, BandwidthOfAlltoallvIsThatOfTheBusiestRank) {
  const Traffic skewed{.name = "skewed", .weights = {}};
  for (const int ranks : {2, 3, 4, 8}) {
    EXPECT_DOUBLE_EQ(alltoallv_factor(ranks, skewed), (ranks - 1.0) / ranks) << ranks;
  }
  EXPECT_DOUBLE_EQ(alltoallv_factor(1, skewed), 0);
  EXPECT_DOUBLE_EQ(alltoallv_factor(1, Traffic{}), 0);
  EXPECT_DOUBLE_EQ(alltoallv_factor(2, matrix({5, 5, 5, 5})), 0.5);
  EXPECT_DOUBLE_EQ(alltoallv_factor(3, matrix({1, 1, 1, 1, 1, 1, 1, 1, 1})), 2.0 / 3.0);
  // Rank 0 receives twice what any rank sends.
  const Traffic hot = matrix({0, 0, 0, 1, 0, 0, 1, 0, 0});
  EXPECT_DOUBLE_EQ(collectives::get("alltoallv").alg_factor(3, hot), 2);
  EXPECT_DOUBLE_EQ(alltoallv_factor(3, hot), 4.0 / 3.0);
}

TEST(Formula, TrafficThatDoesNotFitHasNoBandwidth) {
  EXPECT_EQ(alltoallv_factor(3, matrix({1, 2, 3, 4})), 0);
  EXPECT_EQ(alltoallv_factor(2, matrix({0, 0, 0, 0})), 0);
}

TEST(Formula, FactorsAreKnownForEveryNumberOfRanks) {
  for (const Collective* entry : collectives::all()) {
    for (int ranks = 1; ranks <= 64; ++ranks) {
      // Patterns count what all their pairs move.
      const double pairs = entry->is_pairwise ? std::max(ranks / 2, 1) : 1;
      const double factor = entry->bus_factor(ranks, Traffic{});
      EXPECT_GE(factor, 0) << entry->name;
      EXPECT_LE(factor, 2 * pairs) << entry->name;
      if (entry->alg_factor != nullptr) {
        EXPECT_GE(entry->alg_factor(ranks, Traffic{}), 0) << entry->name;
        EXPECT_LE(entry->alg_factor(ranks, Traffic{}), entry->is_pairwise ? 2 * pairs : 1)
            << entry->name;
      }
    }
  }
}

}  // namespace

}  // namespace viaduct
