// Which group of ranks the footer names as slow, and when it only says how far apart they are.
#include "report/slow_groups.hpp"

#include "report/text_table.hpp"
#include "unit/report/sample_result.hpp"

#include <gtest/gtest.h>

namespace viaduct {

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Measurement in_host(int host, const std::string& path, double median_us) {
  Measurement m = test::sample_measurement(path, median_us);
  m.group = RankGroup{"host", host, "node" + std::to_string(host), {2 * host, 2 * host + 1}};
  return m;
}

/// Hosts node0, node1, ... with these times of 1 MiB.
Result of_hosts(const std::vector<double>& times_us) {
  Result result;
  result.manifest = test::sample_manifest();
  result.manifest.paths.resize(1);
  for (std::size_t host = 0; host < times_us.size(); ++host) {
    result.measurements.push_back(in_host(static_cast<int>(host), "direct", times_us[host]));
  }
  return result;
}

void add_size(Result& result, std::uint64_t size_bytes, const std::vector<double>& times_us) {
  for (Measurement m : of_hosts(times_us).measurements) {
    m.c.size_bytes = size_bytes;
    result.measurements.push_back(m);
  }
}

}  // namespace

TEST(SlowGroups, NamesTheHostThatStandsOut) {
  const std::string text = slow_groups(of_hosts({100, 101, 143, 99}));
  EXPECT_EQ(text,
            "slow: host node2 takes 1.423 times the median of 4 hosts on direct in all_reduce 1M "
            "graph: 143.0 us\n"
            "groups: on direct the slowest of 4 hosts takes at most 1.444 times as long as the "
            "fastest (host node2 / host node3, all_reduce 1M graph)\n");
}

TEST(SlowGroups, HasOneLineForAGroupWithItsWorstCase) {
  Result result = of_hosts({100, 101, 143, 99});
  add_size(result, 64, {10, 10, 20, 10});
  add_size(result, 8, {10, 10, 10, 10});
  const std::string text = slow_groups(result);
  EXPECT_TRUE(
      has(text, "host node2 takes 2.000 times the median of 4 hosts on direct in all_reduce 64"))
      << text;
  EXPECT_TRUE(has(text, "20.00 us; it stands out in 2 cases\n")) << text;
  EXPECT_EQ(text.find("slow:"), text.rfind("slow:"));
}

TEST(SlowGroups, TwoSlowHostsAreBothNamed) {
  const std::string text = slow_groups(of_hosts({100, 130, 100, 100, 101, 150}));
  EXPECT_TRUE(has(text, "slow: host node5 takes 1.493 times"));
  EXPECT_TRUE(has(text, "slow: host node1 takes 1.294 times"));
  EXPECT_LT(text.find("node5"), text.find("node1")) << "the slowest first";
}

TEST(SlowGroups, FourThatAreAlikeHaveNoSlowOne) {
  const std::string text = slow_groups(of_hosts({100, 102, 104, 101}));
  EXPECT_FALSE(has(text, "slow:"));
  EXPECT_TRUE(has(text, "takes at most 1.040 times as long"));
  EXPECT_FALSE(has(text, "four groups"));
}

TEST(SlowGroups, TwoOrThreeOnlyGetTheRatio) {
  for (const std::vector<double>& times : {std::vector<double>{100, 300}, {100, 300, 100}}) {
    const std::string text = slow_groups(of_hosts(times));
    EXPECT_FALSE(has(text, "slow:"));
    EXPECT_TRUE(has(text,
                    "takes at most 3.000 times as long as the fastest (host node1 / host node0, "
                    "all_reduce 1M graph); it takes four groups to tell which one is odd\n"))
        << text;
  }
}

TEST(SlowGroups, ComparesOnlyGroupsOfOneSizeOnOnePath) {
  Result result = of_hosts({100, 100, 100, 900});
  result.measurements[3].ranks = 1;
  EXPECT_FALSE(has(slow_groups(result), "slow:")) << "three of two ranks and one of one";
  result = of_hosts({100, 100, 100, 900});
  result.measurements[3].path = "host-staged";
  EXPECT_FALSE(has(slow_groups(result), "host-staged"));
  result = of_hosts({100, 100, 100, 900});
  result.measurements[3].time_us.reset();
  EXPECT_FALSE(has(slow_groups(result), "node3"));
}

TEST(SlowGroups, SaysNothingWithoutGroups) {
  EXPECT_EQ(slow_groups(test::sample_result()), "");
  EXPECT_EQ(slow_groups(of_hosts({100})), "");
}

TEST(SlowGroups, NamesRailsAndRanks) {
  EXPECT_EQ(group_text({"host", 0, "node1", {0}}), "host node1");
  EXPECT_EQ(group_text({"rail", 3, "rail 3", {3}}), "rail 3");
  EXPECT_EQ(group_text({"4", 0, "ranks 0-3", {0, 1, 2, 3}}), "ranks 0-3");
}

TEST(SlowGroups, TheTableHasARowForEachGroupOfASize) {
  Result result = of_hosts({100, 101, 143, 99});
  add_size(result, 64, {10, 10, 20, 10});
  result.measurements[2].slowest_rank = 1;
  const std::string text = text_table(result);
  EXPECT_TRUE(
      has(text, "all_reduce, float32 sum, out-of-place, graph, 4 hosts of 2 ranks at once\n"))
      << text;
  EXPECT_TRUE(has(text, " size   count  group |")) << text;
  const std::size_t first = text.find("  1M  262144  node0 |");
  const std::size_t last = text.find("  64  262144  node3 |");
  EXPECT_NE(first, std::string::npos) << text;
  EXPECT_NE(last, std::string::npos) << text;
  EXPECT_LT(text.find("  1M  262144  node3 |"), last);
  EXPECT_TRUE(has(
      text, "\nslow: rank 5 of host node2 stands out in all_reduce 1M float32 graph on direct\n"))
      << text;
  EXPECT_TRUE(has(text, "\nslow: host node2 takes 2.000 times"));
}

TEST(SlowGroups, TheTableShowsTheRanksOfUnequalGroups) {
  Result result = of_hosts({100, 50});
  result.measurements[1].ranks = 1;
  const std::string text = text_table(result);
  EXPECT_TRUE(has(text, "2 hosts of 1 to 2 ranks at once\n")) << text;
  EXPECT_TRUE(has(text, "group  ranks |")) << text;
  EXPECT_TRUE(has(text, "node1      1 |")) << text;
}

TEST(SlowGroups, VerdictsBelongToTheirGroup) {
  Result result = of_hosts({100, 100});
  result.manifest.paths = test::sample_manifest().paths;
  result.manifest.paths.resize(2);
  for (const int host : {0, 1}) {
    result.measurements.push_back(in_host(host, "host-staged", 1000));
    result.verdicts.push_back(
        test::sample_verdict(result.measurements.back(), "direct", 10.0 + host));
    result.verdicts.back().group = result.measurements.back().group;
  }
  const std::string text = text_table(result);
  EXPECT_TRUE(has(text, "10.00 [")) << text;
  EXPECT_TRUE(has(text, "11.00 [")) << text;
}

}  // namespace viaduct
