#include "app/launch_check.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

std::vector<RankFacts> ranks_on_one_host(int ranks, int visible_gpus) {
  std::vector<RankFacts> facts;
  for (int rank = 0; rank < ranks; ++rank) {
    RankFacts one;
    one.info.rank = rank;
    one.info.local_rank = rank;
    one.info.host = "node1";
    one.info.cuda_visible_devices = "(unset)";
    one.local_size = ranks;
    one.visible_gpus = visible_gpus;
    one.compute_mode = "default";
    one.gpu_free_bytes = std::uint64_t{140} << 30;
    facts.push_back(one);
  }
  return facts;
}

std::string refusal(const std::vector<RankFacts>& ranks, const RunConfig& config, Engine engine) {
  return refusal_before_workers(ranks, config, engine).value_or("");
}

TEST(LaunchCheck, AcceptsOneRankPerGpu) {
  EXPECT_EQ(refusal(ranks_on_one_host(2, 2), RunConfig{}, Engine::nccl), "");
  EXPECT_EQ(refusal(ranks_on_one_host(2, 8), RunConfig{}, Engine::nccl), "");
  EXPECT_EQ(refusal(ranks_on_one_host(2, 1), RunConfig{}, Engine::nccl), "");
}

TEST(LaunchCheck, RefusesMoreRanksThanGpus) {
  const std::string reason = refusal(ranks_on_one_host(3, 2), RunConfig{}, Engine::nccl);
  EXPECT_NE(reason.find("node1 has 3 ranks but 2 visible GPUs"), std::string::npos) << reason;
  EXPECT_NE(reason.find("mpirun -n 2"), std::string::npos) << reason;
}

TEST(LaunchCheck, RefusesNoGpuOnlyForNccl) {
  EXPECT_NE(refusal(ranks_on_one_host(2, 0), RunConfig{}, Engine::nccl).find("sees no GPU"),
            std::string::npos);
  EXPECT_EQ(refusal(ranks_on_one_host(2, 0), RunConfig{}, Engine::mpi), "");
}

TEST(LaunchCheck, RefusesOneRankUnlessAllowed) {
  EXPECT_NE(refusal(ranks_on_one_host(1, 1), RunConfig{}, Engine::nccl).find("--allow-single"),
            std::string::npos);
  RunConfig config;
  config.allow_single = true;
  EXPECT_EQ(refusal(ranks_on_one_host(1, 1), config, Engine::nccl), "");
}

TEST(LaunchCheck, RefusesSingletonsOfALauncher) {
  std::vector<RankFacts> ranks = ranks_on_one_host(1, 8);
  ranks[0].launcher_ranks = 8;
  RunConfig config;
  config.allow_single = true;  // the launcher asked for eight: this is a broken launch all the same
  const std::string reason = refusal(ranks, config, Engine::nccl);
  EXPECT_NE(reason.find("alone in MPI_COMM_WORLD"), std::string::npos) << reason;
  EXPECT_NE(reason.find("--mpi=pmix"), std::string::npos) << reason;
}

TEST(LaunchCheck, RefusesWhatWasNotExpected) {
  RunConfig config;
  config.expect_ranks = 4;
  EXPECT_NE(refusal(ranks_on_one_host(2, 2), config, Engine::mpi).find("--expect-ranks 4 but 2"),
            std::string::npos);
  config = RunConfig{};
  config.expect_gpus_per_node = 8;
  EXPECT_NE(refusal(ranks_on_one_host(2, 8), config, Engine::nccl).find("host node1 has 2 ranks"),
            std::string::npos);
}

TEST(LaunchCheck, RefusesMigAndProhibitedMode) {
  std::vector<RankFacts> ranks = ranks_on_one_host(2, 2);
  ranks[1].mig_enabled = true;
  EXPECT_NE(refusal(ranks, RunConfig{}, Engine::nccl).find("MIG"), std::string::npos);
  ranks = ranks_on_one_host(2, 2);
  ranks[0].compute_mode = "prohibited";
  EXPECT_NE(refusal(ranks, RunConfig{}, Engine::nccl).find("prohibited"), std::string::npos);
}

TEST(LaunchCheck, RefusesTwoRanksOnOneGpu) {
  const std::vector<WorkerFacts> workers{{0, "a", "GPU-1", "0000:01:00.0", 22803},
                                         {1, "a", "GPU-1", "0000:01:00.0", 22803}};
  const std::string reason = refusal_of_workers(workers).value_or("");
  EXPECT_NE(reason.find("ranks 0 and 1 on host a are on the same GPU"), std::string::npos)
      << reason;
}

TEST(LaunchCheck, RefusesMixedNccl) {
  const std::vector<WorkerFacts> workers{{0, "a", "GPU-1", "0000:01:00.0", 22803},
                                         {1, "b", "GPU-2", "0000:01:00.0", 22809}};
  const std::string reason = refusal_of_workers(workers).value_or("");
  EXPECT_NE(reason.find("22803"), std::string::npos) << reason;
  EXPECT_NE(reason.find("22809"), std::string::npos) << reason;
}

TEST(LaunchCheck, WarnsOfOneVisibleGpuPerTask) {
  EXPECT_TRUE(launch_warnings(ranks_on_one_host(2, 2), Engine::nccl).empty());
  EXPECT_EQ(launch_warnings(ranks_on_one_host(2, 1), Engine::nccl).size(), 1U);
  EXPECT_TRUE(launch_warnings(ranks_on_one_host(2, 1), Engine::mpi).empty());
}

TEST(LaunchCheck, TakesSerialLanesWhereLanesCannotShareAGpu) {
  constexpr std::uint64_t lane = std::uint64_t{900} << 20;
  std::vector<RankFacts> ranks = ranks_on_one_host(2, 2);
  EXPECT_FALSE(needs_serial_lanes(ranks, 4, lane));
  ranks[1].compute_mode = "exclusive-process";
  EXPECT_TRUE(needs_serial_lanes(ranks, 2, lane));
  EXPECT_FALSE(needs_serial_lanes(ranks, 1, lane));
  ranks = ranks_on_one_host(2, 2);
  ranks[0].gpu_free_bytes = std::uint64_t{3} << 30;
  EXPECT_TRUE(needs_serial_lanes(ranks, 4, lane));
}

TEST(LaunchCheck, FactsSurviveTheirText) {
  RankFacts facts = ranks_on_one_host(1, 5)[0];
  facts.info.gpu = GpuInfo{3, "H200", "GPU-x", "0000:17:00.0", 7};
  facts.info.numa_node = 1;
  facts.mig_enabled = true;
  facts.launcher_ranks = 9;
  const RankFacts again = rank_facts_from_text(to_text(facts));
  EXPECT_EQ(to_text(again), to_text(facts));
  EXPECT_EQ(again.info.gpu.bus_id, "0000:17:00.0");
  EXPECT_EQ(again.launcher_ranks, 9);
}

}  // namespace
}  // namespace viaduct
