#include "report/pair_classes.hpp"

#include "report/paths_block.hpp"
#include "report/record_json.hpp"
#include "unit/core/thrown_error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <random>
#include <tuple>

namespace viaduct {
namespace {

PairPath pair(int from, int to, const std::string& transport, int channels) {
  return {from, to, {transport}, channels, EvidenceState::proven, ""};
}

/// Every rank to every other: P2P inside hosts of eight, NET between, more channels along a ring.
std::vector<PairPath> alltoall(int ranks) {
  constexpr int per_host = 8;
  std::vector<PairPath> pairs;
  for (int from = 0; from < ranks; ++from) {
    for (int to = 0; to < ranks; ++to) {
      if (from == to) {
        continue;
      }
      const bool is_inside = from / per_host == to / per_host;
      const int ring = to == (from + 1) % ranks ? 20 : 0;
      pairs.push_back(is_inside ? pair(from, to, "P2P/CUMEM", 32)
                                : pair(from, to, "NET/IB/GDRDMA", 2 + ring));
    }
  }
  return pairs;
}

PathEvidence evidence_of(std::vector<PairPath> pairs) {
  PathEvidence evidence;
  evidence.path = "direct";
  evidence.pairs = std::move(pairs);
  return evidence;
}

TEST(FoldPairs, FewStandAlone) {
  const std::vector<PairPath> pairs = alltoall(8);
  const FoldedPairs folded = fold_pairs(pairs);
  EXPECT_EQ(folded.single, pairs);
  EXPECT_TRUE(folded.classes.empty());
  EXPECT_EQ(unfold_pairs(folded), pairs);
}

TEST(FoldPairs, AllOf512RanksStaySmallAndWhole) {
  std::vector<PairPath> pairs = alltoall(512);
  // One pair that differs from the rest, as a person wants to see it.
  pairs[1000].transports = {"NET/Socket"};
  pairs[1000].state = EvidenceState::contradicted;
  pairs[1000].reason = "via NET/Socket, must be NET/GDRDMA";
  const FoldedPairs folded = fold_pairs(pairs);
  ASSERT_EQ(folded.single.size(), 1U);
  EXPECT_EQ(folded.single[0], pairs[1000]);
  ASSERT_EQ(folded.classes.size(), 3U);
  EXPECT_EQ(folded.classes[0].like.transports.front(), "NET/IB/GDRDMA");
  EXPECT_EQ(folded.classes[1].pairs, 512U * 7);
  EXPECT_EQ(folded.classes[1].blocks.size(), 64U);
  EXPECT_EQ(folded.classes[1].blocks[0], (PairBlock{"0-7", "0-7"}));
  EXPECT_EQ(folded.left_out, 0U);
  EXPECT_EQ(unfold_pairs(folded), pairs);

  const nlohmann::json json = to_json(evidence_of(pairs));
  EXPECT_LT(json.dump().size(), 200000U);
  const PathEvidence back = path_evidence_from_json(json);
  EXPECT_EQ(back.pairs, pairs);
  EXPECT_EQ(back.pairs_left_out, 0U);
}

TEST(FoldPairs, GroupsOfHardwareFoldToo) {
  std::vector<PairPath> pairs;
  for (int rank = 0; rank < 100; ++rank) {
    pairs.push_back({rank, -1, {"NVLS"}, 0, EvidenceState::unknown, "set up besides"});
    pairs.push_back({-1, rank, {"COLLNET/SHARP"}, 4, EvidenceState::unknown, ""});
  }
  std::sort(pairs.begin(), pairs.end(), [](const PairPath& a, const PairPath& b) {
    return std::tie(a.from, a.to) < std::tie(b.from, b.to);
  });
  const FoldedPairs folded = fold_pairs(pairs);
  EXPECT_TRUE(folded.single.empty());
  ASSERT_EQ(folded.classes.size(), 2U);
  for (const PairClass& one : folded.classes) {
    ASSERT_EQ(one.blocks.size(), 1U);
    const PairBlock wanted =
        one.like.transports[0] == "NVLS" ? PairBlock{"0-99", ""} : PairBlock{"", "0-99"};
    EXPECT_EQ(one.blocks[0], wanted);
  }
  EXPECT_EQ(path_evidence_from_json(to_json(evidence_of(pairs))).pairs, pairs);
}

TEST(FoldPairs, ChaosLosesItsLargestClassesAndSaysHowMany) {
  std::vector<PairPath> pairs = alltoall(256);
  std::mt19937 random(7);
  for (PairPath& one : pairs) {
    one.channels = static_cast<int>(random() % 32);
  }
  for (int rank = 0; rank < 20; ++rank) {
    pairs[static_cast<std::size_t>(rank) * 300].transports = {"SHM/direct"};
    pairs[static_cast<std::size_t>(rank) * 300].channels = 1;
  }
  const PathEvidence evidence = evidence_of(pairs);
  const nlohmann::json json = to_json(evidence);
  EXPECT_LT(json.dump().size(), 200000U);
  const PathEvidence back = path_evidence_from_json(json);
  EXPECT_GT(back.pairs_left_out, 0U);
  EXPECT_EQ(back.pairs.size() + back.pairs_left_out, pairs.size());
  const auto odd = std::count_if(back.pairs.begin(), back.pairs.end(), [](const PairPath& one) {
    return one.transports.front() == "SHM/direct";
  });
  EXPECT_EQ(odd, 20);
  Result result;
  result.evidences = {back};
  EXPECT_NE(paths_block(result).find(" pairs are not listed"), std::string::npos);
}

TEST(FoldPairs, WrongListOfRanksIsNamed) {
  FoldedPairs folded;
  folded.classes.push_back({pair(0, 0, "SHM", 1), 2, {{"0-x", "1"}}});
  EXPECT_EQ(test::thrown_error([&folded] { unfold_pairs(folded); }).message(),
            "'0-x' is not a list of ranks; the right form is 0-3,8");
}

}  // namespace
}  // namespace viaduct
