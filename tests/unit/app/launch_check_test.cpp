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

TEST(LaunchCheck, RefusesAnInstanceOfADividedGpu) {
  for (const char* visible : {"MIG-1234", "GPU-1,MIG-GPU-5678/1/0"}) {
    std::vector<RankFacts> ranks = ranks_on_one_host(2, 0);
    ranks[0].info.cuda_visible_devices = visible;
    const std::string reason = refusal(ranks, RunConfig{}, Engine::nccl);
    EXPECT_NE(reason.find("rank 0 on host node1"), std::string::npos) << reason;
    EXPECT_NE(reason.find("a MIG instance"), std::string::npos) << reason;
  }
}

TEST(LaunchCheck, RefusesARankThatSeesNothing) {
  std::vector<RankFacts> ranks = ranks_on_one_host(2, 2);
  ranks[1].visible_gpus = 0;
  ranks[1].info.cuda_visible_devices = "";
  const std::string reason = refusal(ranks, RunConfig{}, Engine::nccl);
  EXPECT_NE(reason.find("rank 1 on host node1 sees no GPU (CUDA_VISIBLE_DEVICES is empty)"),
            std::string::npos)
      << reason;
}

TEST(LaunchCheck, RefusesALocalRankBeyondTheGpusAndNeverWraps) {
  std::vector<RankFacts> ranks = ranks_on_one_host(6, 4);
  const std::string reason = refusal(ranks, RunConfig{}, Engine::nccl);
  EXPECT_NE(reason.find("6 ranks but 4 visible GPUs"), std::string::npos) << reason;
  EXPECT_NE(reason.find("mpirun -n 4"), std::string::npos) << reason;
  // The one rank that sees fewer is enough.
  ranks = ranks_on_one_host(4, 4);
  ranks[3].visible_gpus = 2;
  EXPECT_NE(refusal(ranks, RunConfig{}, Engine::nccl).find("4 ranks but 2 visible GPUs"),
            std::string::npos);
}

TEST(LaunchCheck, KeepsHostsOfOneNameApart) {
  std::vector<RankFacts> ranks = ranks_on_one_host(4, 2);
  for (int rank = 0; rank < 4; ++rank) {
    RankFacts& one = ranks[static_cast<std::size_t>(rank)];
    one.first_of_host = rank / 2 * 2;
    one.info.local_rank = rank % 2;
    one.info.boot_id = rank < 2 ? "boot-a" : "boot-b";
  }
  EXPECT_EQ(refusal(ranks, RunConfig{}, Engine::nccl), "");
  const std::vector<std::string> warnings = launch_warnings(ranks, Engine::nccl);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("ranks 0 (node1) and 2 (node1) run on 2 hosts that are all called "),
            std::string::npos)
      << warnings[0];
}

TEST(LaunchCheck, NamesContainersOfOneMachine) {
  std::vector<RankFacts> ranks = ranks_on_one_host(2, 2);
  ranks[1].first_of_host = 1;
  ranks[1].info.host = "container2";
  ranks[0].info.boot_id = ranks[1].info.boot_id = "boot-a";
  EXPECT_EQ(refusal(ranks, RunConfig{}, Engine::nccl), "");
  const std::vector<std::string> warnings = launch_warnings(ranks, Engine::mpi);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("ranks 0 (node1) and 1 (container2) run on one machine"),
            std::string::npos)
      << warnings[0];
}

TEST(LaunchCheck, SaysOnceWhatIsSoOnManyHosts) {
  constexpr int hosts = 100;
  std::vector<RankFacts> ranks = ranks_on_one_host(2 * hosts, 1);
  for (int rank = 0; rank < 2 * hosts; ++rank) {
    RankFacts& one = ranks[static_cast<std::size_t>(rank)];
    one.first_of_host = rank / 2 * 2;
    one.info.host = "pod" + std::to_string(rank / 2);
    one.info.boot_id = "boot-a";
  }
  const std::vector<std::string> warnings = launch_warnings(ranks, Engine::nccl);
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_NE(
      warnings[0].find("ranks 0 (pod0) and 2 (pod1), and those of 98 more, run on one machine"),
      std::string::npos)
      << warnings[0];
  EXPECT_NE(warnings[1].find("host pod0 (and 99 more hosts): each rank sees one GPU only"),
            std::string::npos)
      << warnings[1];
}

TEST(LaunchCheck, RefusesMixedBuilds) {
  std::vector<RankFacts> ranks = ranks_on_one_host(2, 2);
  ranks[0].viaduct_version = "0.1.0";
  ranks[1].viaduct_version = "0.2.0";
  ranks[1].info.host = "node2";
  const std::string reason = refusal(ranks, RunConfig{}, Engine::mpi);
  EXPECT_NE(reason.find("rank 0 on host node1 is 0.1.0, rank 1 on host node2 is 0.2.0"),
            std::string::npos)
      << reason;
}

TEST(LaunchCheck, WarnsOfALocalRankThatMpiContradicts) {
  std::vector<RankFacts> ranks = ranks_on_one_host(3, 3);
  ranks[1].local_rank_variable = "OMPI_COMM_WORLD_LOCAL_RANK=2";
  ranks[1].local_rank_said = 2;
  EXPECT_EQ(refusal(ranks, RunConfig{}, Engine::nccl), "");
  const std::vector<std::string> warnings = launch_warnings(ranks, Engine::nccl);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("rank 1 on host node1 is local rank 1 by MPI"), std::string::npos);
  EXPECT_NE(warnings[0].find("OMPI_COMM_WORLD_LOCAL_RANK=2"), std::string::npos) << warnings[0];
  ranks[1].local_rank_said = 1;
  EXPECT_TRUE(launch_warnings(ranks, Engine::nccl).empty());
}

TEST(LauncherWords, OfMpiCountBeforeThoseOfSlurm) {
  const LauncherWords words = read_launcher_words({{"OMPI_COMM_WORLD_SIZE", "4"},
                                                   {"OMPI_COMM_WORLD_LOCAL_RANK", "2"},
                                                   {"SLURM_NTASKS", "8"},
                                                   {"SLURM_LOCALID", "0"}});
  EXPECT_EQ(words.ranks, 4);
  EXPECT_EQ(words.local_rank, 2);
  EXPECT_EQ(words.local_rank_variable, "OMPI_COMM_WORLD_LOCAL_RANK=2");
}

TEST(LauncherWords, OfSlurmCountWhereThereAreNoOthers) {
  EXPECT_EQ(read_launcher_words({{"SLURM_NTASKS", "8"}, {"SLURM_LOCALID", "3"}}).ranks, 8);
  EXPECT_EQ(read_launcher_words({{"SLURM_NTASKS", "8"}, {"SLURM_LOCALID", "3"}}).local_rank, 3);
  // In a batch script the step is one task, whatever the job may start.
  EXPECT_EQ(read_launcher_words({{"SLURM_NTASKS", "8"}, {"SLURM_STEP_NUM_TASKS", "1"}}).ranks, 1);
}

TEST(LauncherWords, ThatAreNoNumbersSayNothing) {
  EXPECT_EQ(read_launcher_words({}).ranks, 0);
  EXPECT_EQ(read_launcher_words({}).local_rank, -1);
  EXPECT_EQ(read_launcher_words({{"PMI_SIZE", "many"}, {"MPI_LOCALRANKID", "2x"}}).ranks, 0);
  EXPECT_EQ(read_launcher_words({{"PMI_SIZE", "many"}, {"MPI_LOCALRANKID", "2x"}}).local_rank, -1);
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

TEST(LaunchCheck, TheCopyEngineTakesOneRankForAllGpusOfAHost) {
  EXPECT_EQ(refusal(ranks_on_one_host(1, 8), RunConfig{}, Engine::copy), "");
  const std::string many = refusal(ranks_on_one_host(2, 8), RunConfig{}, Engine::copy);
  EXPECT_NE(many.find("one rank for all GPUs"), std::string::npos) << many;
  EXPECT_NE(many.find("--gpu-bind=none"), std::string::npos) << many;
  EXPECT_NE(refusal(ranks_on_one_host(1, 0), RunConfig{}, Engine::copy).find("no GPU is visible"),
            std::string::npos);
  RunConfig config;
  config.expect_gpus_per_node = 8;
  EXPECT_NE(refusal(ranks_on_one_host(1, 1), config, Engine::copy).find("--gpus-per-node=8"),
            std::string::npos);
}

TEST(LaunchCheck, CopiesOfSeveralHostsAreGroups) {
  std::vector<RankFacts> ranks = ranks_on_one_host(1, 4);
  EXPECT_FALSE(groups_of_copies(sites_of(ranks)).is_split());
  ranks.push_back(ranks_on_one_host(1, 8)[0]);
  ranks[1].info.rank = 1;
  ranks[1].first_of_host = 1;
  ranks[1].info.host = "node2";
  EXPECT_EQ(groups_of_copies(sites_of(ranks)).count(), 2U);
  EXPECT_EQ(most_gpus(ranks), 8);
  EXPECT_FALSE(has_equal_gpus(ranks));
}

TEST(LaunchCheck, FactsSurviveTheirText) {
  RankFacts facts = ranks_on_one_host(1, 5)[0];
  facts.info.peer_access = PeerAccess{{"0000:17:00.0"}, {"-"}};
  facts.info.gpu = GpuInfo{3, "H200", "GPU-x", "0000:17:00.0", 7};
  facts.info.numa_node = 1;
  facts.info.node_cpus = "32-63";
  facts.info.nearest_nic = "mlx5_3";
  facts.mig_enabled = true;
  facts.launcher_ranks = 9;
  facts.local_rank_variable = "SLURM_LOCALID=7";
  facts.local_rank_said = 7;
  facts.viaduct_version = "0.1.0";
  const RankFacts again = rank_facts_from_text(to_text(facts));
  EXPECT_EQ(to_text(again), to_text(facts));
  EXPECT_EQ(again.info.gpu.bus_id, "0000:17:00.0");
  EXPECT_EQ(again.info.peer_access, facts.info.peer_access);
  EXPECT_EQ(again.info.node_cpus, "32-63");
  EXPECT_EQ(again.info.nearest_nic, "mlx5_3");
  EXPECT_EQ(again.launcher_ranks, 9);
  EXPECT_EQ(again.local_rank_variable, "SLURM_LOCALID=7");
  EXPECT_EQ(again.local_rank_said, 7);
  EXPECT_EQ(again.viaduct_version, "0.1.0");
}

}  // namespace
}  // namespace viaduct
