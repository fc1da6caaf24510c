#include "measure/pair_faults.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

TEST(PairFaults, OnePartnerIsNoReason) {
  PairFaults faults;
  faults.add({2, 5});
  faults.add({2, 5});
  EXPECT_FALSE(faults.why_left_out({2, 5}));
  EXPECT_FALSE(faults.why_left_out({2, 3}));
}

TEST(PairFaults, TwoPartnersLeaveOutTheRankAndNotThePartners) {
  PairFaults faults;
  faults.add({2, 5});
  faults.add({3, 5});
  const auto reason = faults.why_left_out({5, 7});
  ASSERT_TRUE(reason);
  EXPECT_EQ(*reason, "not measured: rank 5 has lost its lane with ranks 2, 3");
  EXPECT_FALSE(faults.why_left_out({2, 3}));
}

TEST(PairFaults, APairIsFoundByEitherRank) {
  const std::vector<RankPair> pairs{{0, 3}, {1, 2}};
  EXPECT_EQ(pair_of(pairs, 2), (RankPair{1, 2}));
  EXPECT_EQ(pair_of(pairs, 0), (RankPair{0, 3}));
  EXPECT_FALSE(pair_of(pairs, 4));
  EXPECT_FALSE(pair_of(pairs, -1));
}

}  // namespace
}  // namespace viaduct
