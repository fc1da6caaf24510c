#include "pairs/pair_cells.hpp"

#include "core/error.hpp"
#include "unit/pairs/pair_simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace viaduct {
namespace {

TEST(PairCells, GroupByClassLoadAndHostAndTakeTheMedianOfRounds) {
  const HostLayout layout = block_layout(2, 2);
  PairSeries series;
  series.add(0, 1, "NV18", 100);
  series.add(1, 0, "NV18", 200);
  series.add(0, 1, "NV18", 400);
  series.add(0, 1, "NV18", 50);
  series.add(0, 2, "other host", 10);
  series.add(0, 2, "other host", 20, true);
  const std::vector<CellGroup> groups = cells_of(series, layout);
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_TRUE(groups[0].inside);
  ASSERT_EQ(groups[0].cells.size(), 2U);
  const PairCell& cell = groups[0].cells[0];
  EXPECT_EQ(cell.from, 0);
  EXPECT_EQ(cell.to, 1);
  EXPECT_EQ(cell.samples, 3);
  EXPECT_DOUBLE_EQ(cell.slowness, -std::log(100));
  EXPECT_DOUBLE_EQ(cell.reached, -std::log(400));  // three quarters of three are all three
  EXPECT_DOUBLE_EQ(cell.first, -std::log(100));
  EXPECT_EQ(groups[0].cells[1].from, 1);
  EXPECT_FALSE(groups[1].inside);
  EXPECT_FALSE(groups[1].alone);
  EXPECT_TRUE(groups[2].alone);
  EXPECT_NEAR(value_of_slowness(series, cell.slowness), 100, 1e-9);
}

TEST(PairCells, OfTimesAreSlowWhereTheyAreLarge) {
  PairSeries series;
  series.higher_is_better = false;
  series.is_directed = false;
  series.add(1, 0, "NV18", 8);
  series.add(0, 1, "NV18", 2);
  const std::vector<CellGroup> groups = cells_of(series, block_layout(1, 2));
  ASSERT_EQ(groups.size(), 1U);
  ASSERT_EQ(groups[0].cells.size(), 1U);  // both samples stand for both directions
  EXPECT_EQ(groups[0].cells[0].from, 0);
  // The middle of the two logarithms.
  EXPECT_DOUBLE_EQ(groups[0].cells[0].slowness, std::log(4));
  EXPECT_NEAR(value_of_slowness(series, std::log(4)), 4, 1e-9);
}

TEST(PairCells, TakeTheFavourableEndOfAnInterval) {
  PairSeries series;
  series.add(0, 1, "NV18", 100);
  series.samples[0].interval = Interval{80, 150};
  const PairCell cell = cells_of(series, block_layout(1, 2)).at(0).cells.at(0);
  EXPECT_DOUBLE_EQ(cell.slowness, -std::log(100));
  EXPECT_DOUBLE_EQ(cell.reached, -std::log(150));
  series.higher_is_better = false;
  EXPECT_DOUBLE_EQ(cells_of(series, block_layout(1, 2))[0].cells[0].reached, std::log(80));
}

TEST(PairCells, RefuseImpossibleSamplesByName) {
  const HostLayout layout = block_layout(1, 2);
  const auto refuses = [&layout](const PairSample& sample, const std::string& words) {
    PairSeries series;
    series.classes = {"NV18"};
    series.samples = {sample};
    try {
      (void)cells_of(series, layout);
    } catch (const Error& error) {
      return error.message().find(words) != std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(refuses({0, 2, 0, false, 1, {}}, "ranks 0 -> 2 of 2"));
  EXPECT_TRUE(refuses({1, 1, 0, false, 1, {}}, "ranks 1 -> 1"));
  EXPECT_TRUE(refuses({0, 1, 3, false, 1, {}}, "class 3 of 1"));
  EXPECT_TRUE(refuses({0, 1, 0, false, 0, {}}, "value 0"));
  EXPECT_TRUE(refuses({0, 1, 0, false, std::nan(""), {}}, "value nan"));
}

TEST(PooledCells, AreRelativeToTheirClassAndInOneOrder) {
  const HostLayout layout = block_layout(3, 2);
  PairSeries series;
  for (const auto& [from, to] : {std::pair(0, 2), std::pair(0, 4), std::pair(2, 4)}) {
    series.add(from, to, "same rail", 40);
    series.add(from, to + 1, "other rail", 20);
  }
  std::vector<CellGroup> groups = cells_of(series, layout);
  const CellGroup pool = pooled_cells(groups, false);
  ASSERT_EQ(pool.cells.size(), 6U);
  for (std::size_t i = 0; i < pool.cells.size(); ++i) {
    EXPECT_NEAR(pool.cells[i].slowness, 0, 1e-12);
    if (i > 0) {
      EXPECT_LE(std::pair(pool.cells[i - 1].low_host, pool.cells[i - 1].high_host),
                std::pair(pool.cells[i].low_host, pool.cells[i].high_host));
    }
  }
  EXPECT_TRUE(pooled_cells(groups, true).cells.empty());
  groups.pop_back();
  EXPECT_TRUE(pooled_cells(groups, false).cells.empty());  // one class needs no pool
}

TEST(ReachedByMost, IsWhatThreeQuartersReach) {
  const auto reached = [](std::vector<double> values) { return reached_by_most(values); };
  EXPECT_EQ(reached({7}), 7);
  EXPECT_EQ(reached({2, 1}), 1);
  EXPECT_EQ(reached({3, 1, 2}), 1);
  EXPECT_EQ(reached({4, 3, 1, 2}), 2);
  EXPECT_EQ(reached({8, 7, 6, 5, 4, 3, 2, 1}), 3);
  EXPECT_THROW(reached({}), Error);
}

}  // namespace
}  // namespace viaduct
