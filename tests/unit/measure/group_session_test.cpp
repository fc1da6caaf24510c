// Sessions whose ranks are split into groups: all run at once, each has its own records.
#include "session_rig.hpp"

#include <gtest/gtest.h>

namespace viaduct::testing {
namespace {

/// Hosts node1, node2, ... of that many ranks each.
GroupMap hosts(const std::vector<int>& ranks_of_host) {
  std::vector<RankSite> sites;
  for (std::size_t host = 0; host < ranks_of_host.size(); ++host) {
    const int first = static_cast<int>(sites.size());
    for (int local = 0; local < ranks_of_host[host]; ++local) {
      sites.push_back({"node" + std::to_string(host + 1), first, local});
    }
  }
  return make_group_map("host", sites, true);
}

class GroupRig : public SessionRig {
 public:
  explicit GroupRig(const std::vector<int>& ranks_of_host)
      : SessionRig(hosts(ranks_of_host).ranks()) {
    plan.groups = hosts(ranks_of_host);
  }

  /// The record of a path in a group.
  [[nodiscard]] const Measurement& in(int group, const std::string& path) const {
    for (const Measurement& one : observer.measurements) {
      if (one.path == path && one.group && one.group->index == group) {
        return one;
      }
    }
    throw Error(ErrorKind::internal, "no record of " + path + " in group " + std::to_string(group));
  }
};

TEST(GroupSession, EveryGroupHasItsOwnRecords) {
  GroupRig rig({2, 2});
  rig.path("direct") = {.base_us = 100, .rank_factor = {1.0, 1.1, 1.2, 1.5}};
  rig.path("host-staged") = {.base_us = 300, .rank_factor = {1.0, 1.0, 2.0, 1.0}};
  rig.run();
  ASSERT_EQ(rig.code(), ExitCode::ok) << rig.ends[0].message;
  ASSERT_EQ(rig.observer.measurements.size(), 4U);
  EXPECT_NEAR(rig.in(0, "direct").time_us->median, 110, 1e-9);
  EXPECT_NEAR(rig.in(1, "direct").time_us->median, 150, 1e-9);
  EXPECT_NEAR(rig.in(0, "host-staged").time_us->median, 300, 1e-9);
  EXPECT_NEAR(rig.in(1, "host-staged").time_us->median, 600, 1e-9);
  const Measurement& second = rig.in(1, "direct");
  EXPECT_EQ(second.ranks, 2);
  EXPECT_EQ(second.group, (RankGroup{"host", 1, "node2", {2, 3}}));
  ASSERT_EQ(second.per_rank_median_us.size(), 2U);
  EXPECT_NEAR(second.per_rank_median_us[0], 120, 1e-9);
  EXPECT_NEAR(second.per_rank_median_us[1], 150, 1e-9);
  EXPECT_EQ(second.allocator, "host");
  EXPECT_EQ(second.checked, "timed");
  EXPECT_EQ(second.wrong, 0U);
  EXPECT_EQ(second.stopped, "interval");
  EXPECT_DOUBLE_EQ(second.first_operation_us, 200);
}

TEST(GroupSession, VerdictsPairThePathsOfOneGroup) {
  GroupRig rig({2, 2});
  rig.path("direct") = {.base_us = 100};
  rig.path("host-staged") = {.base_us = 300, .rank_factor = {1.0, 1.0, 2.0, 2.0}};
  rig.run();
  ASSERT_EQ(rig.observer.verdicts.size(), 2U);
  EXPECT_EQ(rig.observer.verdicts[0].group->name, "node1");
  EXPECT_NEAR(rig.observer.verdicts[0].ratio->median, 3, 1e-9);
  EXPECT_EQ(rig.observer.verdicts[1].group->name, "node2");
  EXPECT_NEAR(rig.observer.verdicts[1].ratio->median, 6, 1e-9);
}

TEST(GroupSession, EveryCommunicatorHasItsOwnIdRanksAndSize) {
  GroupRig rig({3, 1});
  rig.path("direct");
  rig.path("socket");
  rig.run();
  ASSERT_EQ(rig.code(), ExitCode::ok) << rig.ends[0].message;
  for (int rank = 0; rank < 4; ++rank) {
    const bool is_second = rank == 3;
    EXPECT_EQ(rig.count_requests("make_id", rank), rank == 0 || rank == 3 ? 2U : 0U);
    for (const JournalEntry& entry : rig.journal.of_rank(rank)) {
      if (const auto* init = std::get_if<InitRequest>(&entry.request)) {
        EXPECT_EQ(init->rank, is_second ? 0 : rank);
        EXPECT_EQ(init->ranks, is_second ? 1 : 3);
        EXPECT_EQ(init->id, "id-of-" + entry.path + (is_second ? "-from-3" : "-from-0"));
      }
    }
  }
}

TEST(GroupSession, AllGroupsRunEveryBatchAtTheSameTime) {
  GroupRig rig({2, 2});
  rig.plan.options.cap_s = 30;
  // The noise of one group alone keeps both measuring.
  rig.path("direct") = {.base_us = 100, .rank_factor = {1.0, 1.0, 0.5, 0.5}, .noise = 0.03};
  rig.run();
  const auto first = rig.batches(0);
  const auto second = rig.batches(2);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].second.operations, second[i].second.operations);
    EXPECT_EQ(first[i].second.checked, second[i].second.checked);
  }
  // 1 ms before the timed operations in each: as long, not as many operations.
  EXPECT_NEAR(static_cast<double>(first.back().second.lead_in_operations), 10, 1);
  EXPECT_NEAR(static_cast<double>(second.back().second.lead_in_operations), 20, 2);
  EXPECT_EQ(rig.in(0, "direct").time_us->samples, rig.in(1, "direct").time_us->samples);
  EXPECT_GT(rig.in(0, "direct").time_us->samples, 8U);
}

TEST(GroupSession, AgreesAsOftenAsWithoutGroups) {
  GroupRig split({2, 2});
  SessionRig whole(4);
  for (SessionRig* rig : {static_cast<SessionRig*>(&split), &whole}) {
    rig->path("direct") = {.base_us = 100};
    rig->run();
    ASSERT_EQ(rig->code(), ExitCode::ok);
  }
  ASSERT_EQ(split.batches().size(), whole.batches().size());
  // One word more about buffers for the case and lane; ids come in one agreement whatever the
  // groups.
  EXPECT_EQ(split.control_calls[0], whole.control_calls[0] + 1);
}

TEST(GroupSession, UnequalGroupsAreDescribedEachByItself) {
  GroupRig rig({3, 1});
  LaneScript& script = rig.path("direct");
  script.rank_size_bytes = {999, 999, 999, 1024};
  script.rank_free_bytes = {100000, 100000, 100000, 50000};
  rig.path("socket");
  rig.run();
  ASSERT_EQ(rig.code(), ExitCode::ok) << rig.ends[0].message;
  EXPECT_EQ(rig.in(0, "direct").c.size_bytes, 999U);
  EXPECT_EQ(rig.in(0, "direct").count, 249U);
  EXPECT_EQ(rig.in(0, "direct").ranks, 3);
  EXPECT_EQ(rig.in(1, "direct").c.size_bytes, 1024U);
  EXPECT_EQ(rig.in(1, "direct").ranks, 1);
  EXPECT_EQ(rig.in(1, "direct").group->ranks, std::vector<int>{3});
  EXPECT_EQ(rig.in(0, "direct").slots, rig.in(1, "direct").slots);
  EXPECT_EQ(rig.in(0, "direct").slots, 21U) << "what fits where the least is free";
}

TEST(GroupSession, ACaseThatOneGroupCannotRunGoesOnInTheOthers) {
  for (const int rank : {1, 3}) {
    GroupRig rig({2, 2});
    rig.plan.cases = {make_case(8), make_case(64, Mode::each)};
    LaneScript& script = rig.path("direct");
    script.skip_reason = "root 2 is not one of 2 ranks";
    script.skip_rank = rank;
    rig.path("socket");
    rig.run();
    ASSERT_EQ(rig.code(), ExitCode::ok) << rig.ends[0].message;
    const int without = rank / 2;
    EXPECT_EQ(rig.in(without, "direct").status, Status::skipped);
    EXPECT_EQ(rig.in(without, "direct").reason, script.skip_reason);
    EXPECT_FALSE(rig.in(without, "direct").time_us);
    EXPECT_EQ(rig.in(1 - without, "direct").status, Status::ok);
    EXPECT_EQ(rig.in(1 - without, "direct").per_rank_median_us.size(), 2U);
    EXPECT_EQ(rig.in(1 - without, "direct").allocator, "host");
    EXPECT_EQ(rig.in(without, "socket").status, Status::ok);
    EXPECT_EQ(rig.count_requests("open", rank), 2U) << "only those of the other path";
    EXPECT_EQ(rig.count_requests("open", rank), rig.count_requests("close", rank));
    EXPECT_EQ(rig.count_requests("open", (rank + 2) % 4), 4U);
  }
}

TEST(GroupSession, WhatDoesNotFitInOneGroupIsSkippedThere) {
  GroupRig rig({2, 2});
  rig.plan.options.memory_share = 1.0;
  rig.path("direct").rank_free_bytes = {100000, 100000, 100000, 1500};
  rig.run();
  EXPECT_EQ(rig.in(0, "direct").status, Status::ok);
  EXPECT_EQ(rig.in(0, "direct").slots, 64U);
  EXPECT_EQ(rig.in(1, "direct").status, Status::skipped);
  EXPECT_NE(rig.in(1, "direct").reason.find("1500 bytes are free"), std::string::npos);
}

TEST(GroupSession, WrongDataStaysInItsGroup) {
  GroupRig rig({2, 2});
  rig.path("direct").wrong = BatchFault{.rank = 3, .batch = 0};
  rig.path("socket");
  rig.run();
  EXPECT_EQ(rig.code(), ExitCode::wrong_data);
  EXPECT_EQ(rig.in(0, "direct").status, Status::ok);
  EXPECT_EQ(rig.in(0, "direct").wrong, 0U);
  EXPECT_EQ(rig.in(1, "direct").status, Status::wrong);
  EXPECT_EQ(rig.in(1, "direct").wrong, 12U);  // 3 in each of four checked batches
  EXPECT_EQ(rig.observer.verdicts.at(0).verdict, "unproven");
  EXPECT_EQ(rig.observer.verdicts.at(1).verdict, "broken");
}

TEST(GroupSession, ALaneLostInOneGroupIsLostInAll) {
  GroupRig rig({2, 2});
  rig.plan.options.batch_deadline_extra_s = 30;
  LaneScript& script = rig.path("direct");
  script.base_us = 100;
  script.crash = BatchFault{.rank = 3, .batch = 14};
  script.rank_group = {0, 0, 1, 1};
  rig.path("socket").base_us = 300;
  rig.run();
  EXPECT_EQ(rig.code(), ExitCode::lost);
  EXPECT_LT(rig.seconds, 5) << "the alarm ends the wait, not the deadline";
  for (const int group : {0, 1}) {
    EXPECT_EQ(rig.in(group, "direct").status, Status::lost);
    EXPECT_EQ(rig.in(group, "direct").reason,
              "rank 3 on node7 (GPU 3 0000:17:00.3): worker ended with signal 6 (Aborted) in phase "
              "batch");
    EXPECT_TRUE(rig.in(group, "direct").time_us) << "samples from before are kept";
    EXPECT_EQ(rig.in(group, "socket").status, Status::ok);
  }
  EXPECT_EQ(rig.observer.warnings.size(), 1U);
}

TEST(GroupSession, AnIdThatOneGroupCannotMakeLosesTheLane) {
  GroupRig rig({2, 2});
  rig.path("direct").fails = PhaseFault{.phase = "make_id", .rank = 2, .message = "no network"};
  rig.path("socket");
  rig.run();
  EXPECT_EQ(rig.code(), ExitCode::lost);
  EXPECT_EQ(rig.in(0, "direct").status, Status::lost);
  EXPECT_NE(rig.in(1, "direct").reason.find("rank 2 on node7"), std::string::npos);
  EXPECT_EQ(rig.in(1, "socket").status, Status::ok);
}

TEST(GroupSession, TheMeanOfNcclTestsIsOverTheRanksOfTheGroup) {
  GroupRig rig({3, 1});
  rig.plan.options.method = Method::nccl_tests;
  rig.plan.options.fixed_operations = 20;
  rig.path("direct") = {.base_us = 100, .rank_factor = {1.0, 2.0, 3.0, 5.0}};
  rig.run();
  EXPECT_NEAR(rig.in(0, "direct").time_us->median, 200, 1e-9);
  EXPECT_NEAR(rig.in(1, "direct").time_us->median, 500, 1e-9);
  EXPECT_EQ(rig.in(1, "direct").stopped, "fixed");
}

TEST(GroupSession, EachGroupSaysWhyItStopped) {
  GroupRig rig({1, 1});
  rig.plan.options.cap_s = 0.1;
  rig.path("direct") = {.base_us = 100, .rank_factor = {1.0, 0.1}, .noise = 0.5};
  rig.run();
  EXPECT_EQ(rig.in(0, "direct").stopped, "cap");
  EXPECT_EQ(rig.in(1, "direct").stopped, "cap");
  EXPECT_EQ(rig.in(0, "direct").time_us->samples, rig.in(1, "direct").time_us->samples);
}

TEST(GroupSession, InterruptedWritesWhatEveryGroupHas) {
  GroupRig rig({2, 2});
  LaneScript& script = rig.path("direct");
  script.base_us = 100;
  script.interrupts = BatchFault{.rank = 2, .batch = 14};
  script.interrupt = [&rig] { rig.world.interrupt(); };
  rig.run();
  for (const int group : {0, 1}) {
    EXPECT_EQ(rig.in(group, "direct").stopped, "interrupted");
    EXPECT_TRUE(rig.in(group, "direct").time_us);
  }
}

TEST(GroupSession, GroupsOfOtherRanksAreAFaultOfTheCaller) {
  SessionRig rig(3);
  rig.plan.groups = hosts({2, 2});
  rig.path("direct");
  rig.run();
  EXPECT_EQ(rig.ends[0].error, ErrorKind::internal);
}

}  // namespace
}  // namespace viaduct::testing
