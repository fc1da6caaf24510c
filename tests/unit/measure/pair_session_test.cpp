// Rounds of pairs on scripted lanes: regrouped between rounds, and lost with the pair that lost
// them.
#include "measure/pair_session.hpp"

#include "session_rig.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

namespace viaduct::testing {
namespace {

using Round = std::vector<RankPair>;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class PairRig : public ::testing::Test {
 protected:
  explicit PairRig(int ranks = 4) : rig_(ranks) {
    rig_.plan.cases = {make_pair_case(0), make_pair_case(1)};
    rig_.path("direct") = {.base_us = 100, .noise = 0.004, .is_pairwise = true};
  }

  static Case make_pair_case(int root) {
    Case c = make_case(4096);
    c.operation = "pair_unidirectional";
    c.root = root;
    return c;
  }

  void run(std::deque<Round> rounds) {
    rig_.run_pairs([rounds]() mutable {
      Round next;
      if (!rounds.empty()) {
        next = rounds.front();
        rounds.pop_front();
      }
      return next;
    });
  }

  [[nodiscard]] std::vector<const Measurement*> of(int from, int to) const {
    std::vector<const Measurement*> found;
    for (const Measurement& m : rig_.observer.measurements) {
      if (m.from == from && m.to == to) {
        found.push_back(&m);
      }
    }
    return found;
  }

  void expect_ok(int from, int to) const {
    const auto records = of(from, to);
    ASSERT_EQ(records.size(), 1U) << from << " to " << to;
    EXPECT_EQ(records[0]->status, Status::ok) << records[0]->reason;
    EXPECT_EQ(records[0]->ranks, 2);
    EXPECT_FALSE(records[0]->group);
    EXPECT_TRUE(records[0]->time_us);
  }

  void expect_lost(int from, int to, const std::string& reason) const {
    const auto records = of(from, to);
    ASSERT_EQ(records.size(), 1U) << from << " to " << to;
    EXPECT_EQ(records[0]->status, Status::lost);
    EXPECT_TRUE(has(records[0]->reason, reason)) << records[0]->reason;
    EXPECT_EQ(records[0]->c.size_bytes, 4096U);
  }

  SessionRig rig_;
};

const std::deque<Round> tournament{{{0, 3}, {1, 2}}, {{0, 2}, {1, 3}}, {{0, 1}, {2, 3}}};

TEST_F(PairRig, EveryPairIsMeasuredInBothDirections) {
  run(tournament);
  EXPECT_EQ(rig_.code(), ExitCode::ok);
  for (int from = 0; from < 4; ++from) {
    for (int to = 0; to < 4; ++to) {
      if (from != to) {
        expect_ok(from, to);
      }
    }
  }
  EXPECT_EQ(rig_.observer.measurements.size(), 12U);
  EXPECT_TRUE(rig_.observer.warnings.empty());
  for (int rank = 0; rank < 4; ++rank) {
    EXPECT_EQ(rig_.count_requests("hello", rank), 1U) << "a worker was started again";
    // Without a pair at first, then once for each round.
    EXPECT_EQ(rig_.count_requests("init", rank), 4U);
  }
}

TEST_F(PairRig, ARankWithoutAPartnerIsIdleInThatRound) {
  run({{{0, 3}}, {{1, 2}}});
  EXPECT_EQ(rig_.code(), ExitCode::ok);
  expect_ok(0, 3);
  expect_ok(2, 1);
  EXPECT_EQ(rig_.observer.measurements.size(), 4U);
  for (int rank = 0; rank < 4; ++rank) {
    EXPECT_EQ(rig_.count_requests("open", rank), 2U) << rank;
  }
}

TEST_F(PairRig, TwoPathsGiveAVerdictOnEachPair) {
  rig_.path("host-staged") = {.base_us = 300, .noise = 0.004, .is_pairwise = true};
  run({{{0, 3}, {1, 2}}});
  ASSERT_EQ(rig_.observer.verdicts.size(), 4U);
  for (const Verdict& verdict : rig_.observer.verdicts) {
    EXPECT_TRUE(verdict.from && verdict.to);
    EXPECT_NEAR(verdict.ratio->median, 3, 0.1);
  }
}

/// A batch of the first case: ten of warm-up come before.
constexpr std::uint64_t in_first_case = 13;

TEST_F(PairRig, ALostWorkerCostsItsPairOnly) {
  rig_.scripts["direct"].crash = BatchFault{.rank = 3, .batch = in_first_case};
  rig_.scripts["direct"].faulty_launches = 1;
  run(tournament);
  EXPECT_EQ(rig_.code(), ExitCode::lost);
  expect_lost(0, 3, "rank 3 on node7");
  expect_lost(3, 0, "rank 3 on node7");
  for (const auto& pair : {RankPair{1, 2}, RankPair{0, 2}, RankPair{1, 3}, RankPair{0, 1}}) {
    expect_ok(pair.first, pair.second);
    expect_ok(pair.second, pair.first);
  }
  EXPECT_EQ(rig_.observer.measurements.size(), 12U);
  ASSERT_EQ(rig_.observer.warnings.size(), 2U);
  EXPECT_EQ(rig_.observer.warnings[1], "path direct was started again after its loss");
}

TEST_F(PairRig, ARankThatIsLostWithTwoPartnersIsLeftOut) {
  rig_.scripts["direct"].crash = BatchFault{.rank = 3, .batch = 0};
  run(tournament);
  EXPECT_EQ(rig_.code(), ExitCode::lost);
  expect_lost(0, 3, "rank 3 on node7");
  expect_lost(1, 3, "rank 3 on node7");
  expect_lost(2, 3, "not measured: rank 3 has lost its lane with ranks 0, 1");
  for (const auto& pair : {RankPair{1, 2}, RankPair{0, 2}, RankPair{0, 1}}) {
    expect_ok(pair.first, pair.second);
  }
}

TEST_F(PairRig, APairThatCannotJoinIsLostBeforeItIsDescribed) {
  rig_.scripts["direct"].fails = PhaseFault{.phase = "describe", .rank = 2};
  rig_.scripts["direct"].faulty_launches = 1;
  run({{{0, 3}, {1, 2}}});
  expect_lost(1, 2, "scripted failure");
  expect_lost(2, 1, "scripted failure");
  expect_ok(0, 3);
  expect_ok(3, 0);
}

TEST_F(PairRig, APathThatNeverComesUpIsLostForEveryPairOfOneRound) {
  rig_.scripts["direct"].fails = PhaseFault{.phase = "hello", .rank = 1, .kind = ErrorKind::lost};
  run(tournament);
  EXPECT_EQ(rig_.code(), ExitCode::lost);
  EXPECT_EQ(rig_.observer.measurements.size(), 4U);
  expect_lost(1, 2, "rank 1");
}

}  // namespace
}  // namespace viaduct::testing
