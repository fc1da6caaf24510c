// algbw and busbw by the definitions of nccl-tests, computed by hand: S / t and the factors of
// doc/PERFORMANCE.md.

#include "collectives/collective.hpp"
#include "stats/bandwidth.hpp"

#include <gtest/gtest.h>

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
};

TEST(Formula, AgreesWithNcclTests) {
  for (const Row& row : rows) {
    SCOPED_TRACE(std::string(row.operation) + " on " + std::to_string(row.ranks) + " ranks");
    const double factor = collectives::get(row.operation).bus_factor(row.ranks, Traffic{});
    EXPECT_DOUBLE_EQ(algbw_gbs(row.size_bytes, row.time_us), row.algbw_gbs);
    EXPECT_DOUBLE_EQ(busbw_gbs(row.size_bytes, row.time_us, factor), row.busbw_gbs);
  }
}

TEST(Formula, CoversEveryCollective) {
  for (const Collective* entry : collectives::all()) {
    bool is_covered = false;
    for (const Row& row : rows) {
      is_covered = is_covered || entry->name == row.operation;
    }
    EXPECT_TRUE(is_covered) << entry->name;
  }
}

}  // namespace

}  // namespace viaduct
