#include "pairs/matrix_text.hpp"

#include "unit/pairs/pair_simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace viaduct {
namespace {

PairSeries series_of(const char* path) {
  PairSeries series;
  series.path = path;
  series.pattern = "pair_unidirectional";
  series.size_bytes = 64U << 20U;
  return series;
}

TEST(MatrixText, OfFewRanksHasSendersInRows) {
  PairSeries series = series_of("direct");
  series.add(0, 1, "NV18", 380.25);
  series.add(1, 0, "NV18", 38);
  series.add(1, 0, "NV18", 40);
  series.add(0, 2, "NV18", 1.5);
  EXPECT_EQ(matrix_text(series, block_layout(1, 3)),
            "pair_unidirectional 64M on direct, GB/s, by rank; rows send, columns receive\n"
            "    0      1    2\n"
            "0      380.2  1.5\n"
            "1  39           .\n"
            "2   .      .\n");
}

TEST(MatrixText, NamesTheHostsOfRanksAndFillsBothDirectionsOfTimes) {
  PairSeries series = series_of("socket");
  series.pattern = "pingpong";
  series.size_bytes = 8;
  series.unit = "us";
  series.higher_is_better = false;
  series.is_directed = false;
  series.add(0, 1, "other host", 25.5);
  EXPECT_EQ(matrix_text(series, block_layout(2, 1)),
            "pingpong 8 on socket, us, by rank; rows send, columns receive\n"
            "              0     1\n"
            "0 (host0)        25.5\n"
            "1 (host1)  25.5\n");
}

TEST(MatrixText, OfManyRanksIsFoldedToHosts) {
  PairSeries series = series_of("default");
  series.add(0, 1, "one host", 300);
  series.add(0, 2, "same rail", 40);
  series.add(1, 3, "same rail", 50);
  series.add(1, 2, "other rail", 20);
  series.add(2, 0, "same rail", 45);
  series.add(2, 0, "same rail", 90, true);  // another load
  MatrixTextOptions options;
  options.most_columns = 3;
  EXPECT_EQ(matrix_text(series, block_layout(2, 2), options),
            "pair_unidirectional 64M on default, GB/s, by host, median of its pairs (diagonal: "
            "inside); rows send, columns receive\n"
            "             0   1\n"
            "0 (host0)  300  40\n"
            "1 (host1)   45\n"
            "pair_unidirectional 64M on default, GB/s, by host, slowest of its pairs (diagonal: "
            "inside); rows send, columns receive\n"
            "             0   1\n"
            "0 (host0)  300  20\n"
            "1 (host1)   45\n");
}

TEST(MatrixText, OfManyHostsListsTheSlowest) {
  const HostLayout layout = block_layout(40, 2);
  SimulatedCluster cluster(layout, {}, 5);
  cluster.plant({slow_host(17), 0.1});
  PairSeries series = series_of("default");
  PairSurvey survey(layout);
  for (int round = 0; round < 10; ++round) {
    cluster.measure(survey.next(round == 0), series);
  }
  const std::string text = matrix_text(series, layout);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2 + 16);
  EXPECT_NE(text.find("the 16 slowest of 40 hosts by median\n"), std::string::npos);
  const std::size_t first_host = text.find("\nhost", text.find("\nhost") + 1) + 1;
  EXPECT_EQ(text.substr(first_host, 6), "host17");
}

TEST(MatrixText, OfOneLargeHostStaysAMatrixOfRanks) {
  PairSeries series = series_of("direct");
  series.add(0, 17, "NV18", 300);
  const std::string text = matrix_text(series, block_layout(1, 18));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 20);
}

}  // namespace
}  // namespace viaduct
