// How ranks fall into groups, and which splits are refused with what words.
#include "core/group_map.hpp"

#include "thrown_error.hpp"

#include <gtest/gtest.h>

namespace viaduct {

namespace {

using Ranks = std::vector<int>;

/// Hosts node1, node2, ... of that many ranks each, filled one after another.
std::vector<RankSite> block_of(const std::vector<int>& ranks_of_host) {
  std::vector<RankSite> sites;
  for (std::size_t host = 0; host < ranks_of_host.size(); ++host) {
    const int first = static_cast<int>(sites.size());
    for (int local = 0; local < ranks_of_host[host]; ++local) {
      sites.push_back({"node" + std::to_string(host + 1), first, local});
    }
  }
  return sites;
}

/// Two hosts whose ranks alternate, as some launchers place them.
std::vector<RankSite> cyclic() {
  return {{"b", 0, 0}, {"a", 1, 0}, {"b", 0, 1}, {"a", 1, 1}};
}

void expect_refusal(const std::string& kind,
                    const std::vector<RankSite>& sites,
                    const std::vector<std::string>& words) {
  test::expect_error(
      ErrorKind::usage, [&] { make_group_map(kind, sites, false); }, words);
}

}  // namespace

TEST(GroupMap, AllIsOneGroup) {
  const GroupMap map = make_group_map("all", block_of({2, 1}), false);
  EXPECT_EQ(map.kind(), "all");
  EXPECT_FALSE(map.is_split());
  EXPECT_FALSE(map.label(0));
  ASSERT_EQ(map.count(), 1U);
  EXPECT_EQ(map.groups()[0].name, "all");
  EXPECT_EQ(map.groups()[0].ranks, (Ranks{0, 1, 2}));
  EXPECT_EQ(map.ranks(), 3);
  EXPECT_EQ(make_group_map("all", block_of({1}), false).ranks(), 1);
}

TEST(GroupMap, HostsComeInTheOrderOfTheirFirstRank) {
  const GroupMap map = make_group_map("host", cyclic(), false);
  EXPECT_TRUE(map.is_split());
  ASSERT_EQ(map.count(), 2U);
  EXPECT_EQ(map.groups()[0], (RankGroup{"host", 0, "b", {0, 2}}));
  EXPECT_EQ(map.groups()[1], (RankGroup{"host", 1, "a", {1, 3}}));
  EXPECT_EQ(map.group_of(3), 1U);
  EXPECT_EQ(map.rank_in_group(3), 1);
  EXPECT_EQ(map.first_rank(1), 1);
  EXPECT_EQ(map.size_of(1), 2);
}

TEST(GroupMap, HostsOfOneNameStayApart) {
  const std::vector<RankSite> sites{{"box", 0, 0}, {"box", 0, 1}, {"box", 2, 0}, {"box", 2, 1}};
  const GroupMap map = make_group_map("host", sites, false);
  ASSERT_EQ(map.count(), 2U);
  EXPECT_EQ(map.groups()[0].name, "box");
  EXPECT_EQ(map.groups()[1].name, "box from rank 2");
}

TEST(GroupMap, ARailIsOneLocalRankOfEveryHost) {
  const GroupMap map = make_group_map("rail", block_of({3, 3}), false);
  ASSERT_EQ(map.count(), 3U);
  EXPECT_EQ(map.groups()[2], (RankGroup{"rail", 2, "rail 2", {2, 5}}));
  EXPECT_EQ(make_group_map("rail", cyclic(), false).groups()[1].ranks, (Ranks{2, 3}));
}

TEST(GroupMap, ANumberTakesRanksThatFollowEachOther) {
  const GroupMap map = make_group_map("2", block_of({3, 3}), false);
  ASSERT_EQ(map.count(), 3U);
  EXPECT_EQ(map.groups()[1], (RankGroup{"2", 1, "ranks 2-3", {2, 3}}));
  EXPECT_EQ(map.label(1), map.groups()[1]);
  const GroupMap whole = make_group_map("6", block_of({3, 3}), false);
  EXPECT_EQ(whole.count(), 1U);
  EXPECT_TRUE(whole.is_split()) << "asked for by number, so its records name it";
}

TEST(GroupMap, UnequalHostsHaveNoRails) {
  expect_refusal("rail",
                 block_of({3, 1}),
                 {"--group rail",
                  "host node1 has 3 ranks",
                  "host node2 has 1",
                  "equally many",
                  "--group host"});
}

TEST(GroupMap, TheNumberMustDivideTheRanks) {
  expect_refusal("4", block_of({3, 3}), {"--group 4", "6 ranks", "groups of 4", "divide"});
  expect_refusal("8", block_of({4}), {"--group 8", "4 ranks"});
}

TEST(GroupMap, ARankAloneMustBeAllowed) {
  expect_refusal("host", block_of({3, 1}), {"'node2'", "rank 3 alone", "--allow-single"});
  expect_refusal("rail", block_of({2}), {"'rail 0'", "rank 0 alone", "--allow-single"});
  expect_refusal("1", block_of({2}), {"'rank 0'", "--allow-single"});
  const GroupMap map = make_group_map("host", block_of({3, 1}), true);
  EXPECT_EQ(map.largest(), 3);
  EXPECT_EQ(map.size_of(0), 3);
  EXPECT_EQ(map.size_of(1), 1);
}

TEST(GroupMap, KnowsWhichGroupsSpanHosts) {
  const auto spans = [](const std::string& kind, const std::vector<RankSite>& sites) {
    return spans_hosts(make_group_map(kind, sites, false), sites);
  };
  EXPECT_TRUE(spans("all", block_of({2, 2})));
  EXPECT_FALSE(spans("all", block_of({4})));
  EXPECT_FALSE(spans("host", block_of({2, 2})));
  EXPECT_TRUE(spans("rail", block_of({2, 2})));
  EXPECT_FALSE(spans("2", block_of({2, 2})));
  EXPECT_TRUE(spans("2", cyclic()));
}

TEST(GroupMap, KindIsAWordOrANumber) {
  for (const char* word : {"all", "host", "rail", "1", "16"}) {
    EXPECT_EQ(parse_group_kind(word), word);
  }
  for (const char* word : {"", "hosts", "0", "-2", "04", "2x", "99999999999", "1.5"}) {
    test::expect_error(
        ErrorKind::usage, [&] { parse_group_kind(word); }, {"all, host, rail or a number"});
  }
}

TEST(GroupMap, EveryRankIsInOneGroup) {
  using Groups = std::vector<RankGroup>;
  const auto make = [](Groups groups) { return [groups] { GroupMap("2", groups); }; };
  test::expect_error(ErrorKind::internal, make({{"2", 0, "a", {0, 1}}, {"2", 1, "b", {1}}}), {});
  test::expect_error(ErrorKind::internal, make({{"2", 0, "a", {0, 2}}}), {});
  const GroupMap map = GroupMap::of_all(2);
  test::expect_error(ErrorKind::internal, [&] { static_cast<void>(map.group_of(2)); }, {"rank 2"});
  EXPECT_EQ(GroupMap().count(), 0U);
}

TEST(GroupMap, APairLeavesTheOthersIdle) {
  const GroupMap map = GroupMap::of_pair(5, {3, 1});
  EXPECT_EQ(map.kind(), "pair");
  ASSERT_EQ(map.count(), 2U);
  EXPECT_EQ(map.measuring(), 1U);
  EXPECT_EQ(map.groups()[0], (RankGroup{"pair", 0, "ranks 3,1", {3, 1}}));
  EXPECT_EQ(map.groups()[1].ranks, (Ranks{0, 2, 4}));
  EXPECT_FALSE(map.is_idle(0));
  EXPECT_TRUE(map.is_idle(1));
  EXPECT_EQ(map.rank_in_group(3), 0);
  EXPECT_EQ(map.rank_in_group(1), 1);
  EXPECT_EQ(map.largest(), 2);
  EXPECT_EQ(map.label(0)->name, "ranks 3,1");
  EXPECT_EQ(GroupMap::of_pair(2, {0, 1}).count(), 1U);
}

TEST(GroupMap, APairMustBeTwoRanksThatAreThere) {
  test::expect_error(ErrorKind::usage,
                     [] {
                       GroupMap::of_pair(4, {0, 4});
                     },
                     {"0,4", "no rank 4", "0 to 3"});
  test::expect_error(ErrorKind::usage,
                     [] {
                       GroupMap::of_pair(4, {2, 2});
                     },
                     {"2,2", "two different ranks"});
}

TEST(GroupMap, PairsAtOnceAreNoGroupsInRecords) {
  const GroupMap map = GroupMap::of_pairs(5, {{0, 4}, {1, 3}});
  ASSERT_EQ(map.count(), 3U);
  EXPECT_FALSE(map.label(0));
  EXPECT_EQ(map.group_of(3), 1U);
  EXPECT_TRUE(map.is_idle(map.group_of(2)));
  EXPECT_TRUE(GroupMap::of_pairs(3, {}).is_idle(0));
  EXPECT_EQ(GroupMap::of_pairs(3, {}).largest(), 0);
  test::expect_error(ErrorKind::internal,
                     [] {
                       GroupMap::of_pairs(4, {{0, 1}, {1, 2}});
                     },
                     {"rank 1"});
}

}  // namespace viaduct
