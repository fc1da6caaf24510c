#include "report/binding_audit.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

RankInfo rank_with(const std::string& launcher, const std::string& workers) {
  RankInfo rank;
  rank.rank = 3;
  rank.local_rank = 3;
  rank.host = "node7";
  rank.boot_id = "boot";
  rank.launcher_cpus = launcher;
  rank.worker_cpus = workers;
  rank.numa_node = 1;
  rank.node_cpus = "32-63";
  rank.gpu = {3, "NVIDIA H200", "GPU-3", "0000:c1:00.0", 0};
  return rank;
}

Manifest manifest_of(std::vector<RankInfo> ranks, Engine engine = Engine::nccl) {
  Manifest manifest;
  manifest.engine = engine;
  manifest.rank_info = std::move(ranks);
  return manifest;
}

std::string only_warning(const Manifest& manifest) {
  const std::vector<std::string> warnings = binding_warnings(manifest);
  EXPECT_EQ(warnings.size(), 1U);
  return warnings.empty() ? "" : warnings.front();
}

TEST(BindingAudit, IsQuietWhereWorkersRunNearTheirGpu) {
  EXPECT_TRUE(binding_warnings(manifest_of({rank_with("32-63", "32-63")})).empty());
  EXPECT_TRUE(binding_warnings(manifest_of({rank_with("32", "32-47")})).empty());
  EXPECT_TRUE(binding_warnings(manifest_of({rank_with("0-63", "0-63")})).empty()) << "--bind none";
}

TEST(BindingAudit, NamesAWorkerOnOneCore) {
  const std::string warning = only_warning(manifest_of({rank_with("32", "32")}));
  EXPECT_NE(warning.find("one core, on 1 of 1 ranks: rank 3 on node7 (CPU 32)"), std::string::npos)
      << warning;
  EXPECT_TRUE(binding_warnings(manifest_of({rank_with("32", "32")}, Engine::mpi)).empty())
      << "a rank that measures MPI has a core of its own";
}

TEST(BindingAudit, NamesTheWrongNode) {
  std::string warning = only_warning(manifest_of({rank_with("0-31", "0-31")}));
  EXPECT_NE(warning.find("no core of their GPU's NUMA node"), std::string::npos) << warning;
  EXPECT_NE(warning.find("CPUs 0-31, GPU 0000:c1:00.0 on node 1 with CPUs 32-63"),
            std::string::npos)
      << warning;
  warning = only_warning(manifest_of({rank_with("0-31", "32-63")}));
  EXPECT_NE(warning.find("the launcher put the rank away"), std::string::npos) << warning;
  RankInfo unknown = rank_with("0-31", "0-31");
  unknown.node_cpus.clear();
  EXPECT_TRUE(binding_warnings(manifest_of({unknown})).empty()) << "unknown is not wrong";
  EXPECT_TRUE(binding_warnings(manifest_of({rank_with("(unknown)", "(unknown)")})).empty());
}

TEST(BindingAudit, NamesACgroupThatIsTooSmall) {
  const std::vector<RankInfo> ranks(8, rank_with("32-37", "32-37"));
  const std::string warning = only_warning(manifest_of(ranks));
  EXPECT_NE(warning.find("8 ranks on node7 share 6 CPUs"), std::string::npos) << warning;
}

TEST(BindingAudit, CountsRanksAndNamesTheFirst) {
  std::vector<RankInfo> ranks{
      rank_with("32-63", "32-63"), rank_with("0", "0"), rank_with("1", "1")};
  ranks[0].rank = 0;
  ranks[1].rank = 1;
  ranks[2].rank = 2;
  const std::vector<std::string> warnings = binding_warnings(manifest_of(ranks));
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_NE(warnings[0].find("on 2 of 3 ranks: rank 1"), std::string::npos) << warnings[0];
}

TEST(BindingAudit, ShowsWhatIsKnown) {
  RankInfo bare;
  bare.host = "node8";
  RankInfo other = rank_with("0-31", "32-63");
  other.nearest_nic = "mlx5_3";
  const std::string text = binding_audit(manifest_of({bare, other}));
  EXPECT_NE(text.find("0000:c1:00.0"), std::string::npos) << text;
  EXPECT_NE(text.find("mlx5_3"), std::string::npos) << text;
  EXPECT_NE(text.find("node8"), std::string::npos) << text;
  EXPECT_NE(text.find("?: launched away from the GPU's NUMA node"), std::string::npos) << text;
  EXPECT_EQ(text.find("!:"), std::string::npos) << text;
}

}  // namespace
}  // namespace viaduct
