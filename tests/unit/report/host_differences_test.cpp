#include "report/host_differences.hpp"

#include "core/error.hpp"
#include "report/host_json.hpp"
#include "report/text_table.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

using Row = HostDifferences::Row;

constexpr std::uint64_t gib = std::uint64_t{1} << 30U;

HostInfo whole_host(const std::string& name) {
  HostInfo host;
  host.host = name;
  host.kernel = "Linux 5.14.0 x86_64";
  host.driver = "580.65.06";
  host.memory_bytes = 1007 * gib;
  host.cpus = 96;
  host.facts = HostFacts{.shm_bytes = 504 * gib,
                         .shm_free_bytes = 500 * gib,
                         .memlock_bytes = HostFacts::unlimited,
                         .cgroup_cpus = "0-95",
                         .acs = false,
                         .iommu = true,
                         .iommu_options = "iommu=pt",
                         .peermem = true,
                         .dma_buf = true};
  host.variables = {{"NCCL_IB_HCA", "mlx5_0"}, {"SLURM_NODEID", name}};
  return host;
}

RankInfo rank_on(const std::string& host, const std::string& cpus) {
  RankInfo rank;
  rank.host = host;
  rank.launcher_cpus = cpus;
  rank.worker_cpus = "0-95";
  rank.gpu.name = "NVIDIA H200";
  return rank;
}

Manifest three_hosts() {
  Manifest manifest;
  manifest.hosts = {whole_host("a"), whole_host("b"), whole_host("c")};
  manifest.rank_info = {rank_on("a", "0"), rank_on("b", "0"), rank_on("c", "0")};
  return manifest;
}

TEST(HostDifferences, AreNoneBetweenEqualHostsAndForOneHost) {
  EXPECT_TRUE(host_differences(three_hosts()).rows.empty());
  EXPECT_EQ(host_differences(three_hosts()).hosts, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(describe(host_differences(three_hosts())).empty());
  Manifest one;
  one.hosts = {whole_host("a")};
  EXPECT_TRUE(host_differences(one).rows.empty());
  EXPECT_TRUE(host_differences(Manifest{}).rows.empty());
}

TEST(HostDifferences, NameEveryFactThatDiffers) {
  Manifest manifest = three_hosts();
  HostInfo& b = manifest.hosts[1];
  b.kernel = "Linux 6.1.0 x86_64";
  b.driver = "";
  b.cpus = 48;
  b.facts = HostFacts{.shm_bytes = gib / 16, .memlock_bytes = gib};
  b.facts.acs = true;
  b.facts.peermem = false;
  b.variables["NCCL_IB_HCA"] = "mlx5_1";
  b.files = {{"/etc/nccl.conf", "NCCL_P2P_DISABLE=1\nNCCL_DEBUG=INFO\n"}};
  manifest.rank_info[1] = rank_on("b", "0-47");
  const auto rows = host_differences(manifest).rows;
  const auto row = [](const char* what, const char* all, const char* of_b) {
    return Row{what, {all, of_b, all}};
  };
  const std::vector<Row> right{
      row("kernel", "Linux 5.14.0 x86_64", "Linux 6.1.0 x86_64"),
      row("driver", "580.65.06", "none"),
      row("CPUs", "96", "48"),
      row("CPUs of the cgroup", "0-95", "unknown"),
      row("/dev/shm", "504 GiB", "0.0625 GiB"),
      row("memlock", "unlimited", "1 GiB"),
      row("ACS redirect", "no", "yes"),
      row("IOMMU", "yes", "unknown"),
      row("IOMMU options", "iommu=pt", "(none)"),
      row("nvidia_peermem", "yes", "no"),
      row("DMA-BUF", "yes", "unknown"),
      row("CPUs from the launcher", "0", "0-47"),
      row("NCCL_IB_HCA", "mlx5_0", "mlx5_1"),
      row("/etc/nccl.conf", "(no file)", "NCCL_P2P_DISABLE=1\nNCCL_DEBUG=INFO\n"),
  };
  ASSERT_EQ(rows.size(), right.size());
  for (std::size_t i = 0; i < right.size(); ++i) {
    EXPECT_EQ(rows[i], right[i]) << rows[i].what;
  }
}

TEST(HostDifferences, LeaveOutWhatTheLauncherSaysOfItself) {
  Manifest manifest = three_hosts();
  manifest.hosts[0].variables["OMPI_MCA_ess_base_vpid"] = "0";
  manifest.hosts[1].variables["OMPI_MCA_ess_base_vpid"] = "2";
  manifest.hosts[1].variables["OMPI_MCA_orte_node_regex"] = "n[1:1-4]@0(4)";
  manifest.hosts[2].variables["OMPI_MCA_routed"] = "radix";
  manifest.hosts[2].variables["PRTE_MCA_prte_data_server_uri"] = "x";
  EXPECT_TRUE(host_differences(manifest).rows.empty());
  manifest.hosts[1].variables["OMPI_MCA_btl_tcp_if_include"] = "eth1";
  const auto rows = host_differences(manifest).rows;
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0], (Row{"OMPI_MCA_btl_tcp_if_include", {"(unset)", "eth1", "(unset)"}}));
}

TEST(HostDifferences, NamesEightHostsOfOneValue) {
  HostDifferences differences;
  HostDifferences::Row row{"driver", {}};
  for (int host = 0; host < 12; ++host) {
    differences.hosts.push_back("n" + std::to_string(host));
    row.values.emplace_back(host == 5 ? "570" : "580");
  }
  differences.rows.push_back(row);
  EXPECT_EQ(describe(differences),
            (std::vector<std::string>{
                "hosts differ:",
                "  driver: 580 on n0, n1, n2, n3, n4, n6, n7, n8 and 3 more; 570 on n5"}));
}

TEST(HostDifferences, StandInTheReportBehindThePaths) {
  Result result;
  result.manifest = three_hosts();
  EXPECT_EQ(text_table(result).find("hosts differ"), std::string::npos);
  result.manifest.hosts[1].driver = "570.1";
  EXPECT_NE(text_table(result).find("hosts differ:\n  driver: 580.65.06 on a, c; 570.1 on b\n"),
            std::string::npos)
      << text_table(result);
}

TEST(HostDifferences, LeaveOutWhatMustDiffer) {
  Manifest manifest = three_hosts();
  manifest.hosts[0].variables["SLURM_PROCID"] = "0";
  manifest.hosts[1].variables["SLURM_PROCID"] = "8";
  manifest.hosts[2].memory_bytes -= 4096 * 100;
  manifest.hosts[2].facts.shm_free_bytes = gib;
  EXPECT_TRUE(host_differences(manifest).rows.empty());
}

TEST(HostDifferences, NameAVariableThatOneHostLacks) {
  Manifest manifest = three_hosts();
  manifest.hosts[2].variables.erase("NCCL_IB_HCA");
  const HostDifferences differences = host_differences(manifest);
  ASSERT_EQ(differences.rows.size(), 1U);
  EXPECT_EQ(differences.rows[0], (Row{"NCCL_IB_HCA", {"mlx5_0", "mlx5_0", "(unset)"}}));
  EXPECT_EQ(
      describe(differences),
      (std::vector<std::string>{"hosts differ:", "  NCCL_IB_HCA: mlx5_0 on a, b; (unset) on c"}));
}

TEST(HostJson, ComesBackAsItWas) {
  const HostInfo host = whole_host("a");
  const nlohmann::json json = to_json(host);
  EXPECT_EQ(json.at("memlock_bytes"), "unlimited");
  const HostInfo again = host_from_json(JsonFields(json, "host"));
  EXPECT_EQ(again.facts, host.facts);
  EXPECT_EQ(again.variables, host.variables);
}

TEST(HostJson, KeepsWhatIsNotKnown) {
  const nlohmann::json json = to_json(HostInfo{});
  for (const char* key : {"shm_bytes", "memlock_bytes", "cgroup_cpus", "acs", "iommu", "peermem"}) {
    EXPECT_TRUE(json.at(key).is_null()) << key;
  }
  EXPECT_EQ(host_from_json(JsonFields(json, "host")).facts, HostFacts{});
}

TEST(HostJson, RefusesAnotherWordForALimit) {
  nlohmann::json json = to_json(HostInfo{});
  json["memlock_bytes"] = "much";
  try {
    host_from_json(JsonFields(json, "host"));
    FAIL() << "took a limit that is no number";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              "key 'host.memlock_bytes' must be a whole number, null or unlimited, is much");
  }
}

}  // namespace
}  // namespace viaduct
