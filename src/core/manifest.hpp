#pragma once
// What a result file says of the run before the first number: versions, hosts, GPUs, bindings,
// variables, plan.

#include "core/host_topology.hpp"
#include "core/path_spec.hpp"
#include "core/peer_access.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace viaduct {

constexpr int result_schema_version = 1;

struct GpuInfo {
  int device = -1;  ///< index among those the worker sees
  std::string name;
  std::string uuid;
  std::string bus_id;
  std::uint64_t memory_bytes = 0;
};

struct RankInfo {
  int rank = 0;
  int local_rank = 0;
  std::string host;
  std::string boot_id;
  int pid = 0;
  std::string launcher_cpus;                ///< CPU list the launcher gave, "0-3"
  std::string worker_cpus;                  ///< CPU list the workers run on, read back
  int numa_node = -1;                       ///< of the GPU; -1: unknown
  std::string node_cpus{};                  ///< CPU list of that node; empty: unknown
  std::string nearest_nic{};                ///< of the GPU; empty: unknown
  std::string cuda_visible_devices;         ///< as inherited; "(unset)" when not set
  GpuInfo gpu;                              ///< empty name on the mpi engine
  std::optional<PeerAccess> peer_access{};  ///< copy engine: of all GPUs that its worker sees
};

/// What decides over paths and often differs between hosts. Empty: the host does not say.
struct HostFacts {
  static constexpr std::uint64_t unlimited = ~std::uint64_t{0};

  std::optional<std::uint64_t> shm_bytes{};  ///< size of /dev/shm
  std::optional<std::uint64_t> shm_free_bytes{};
  std::optional<std::uint64_t> memlock_bytes{};  ///< of locked memory; `unlimited`
  std::string cgroup_cpus{};                     ///< CPU list that the cgroup allows
  std::optional<bool> acs{};      ///< some PCI bridge sends P2P up to the root (access control)
  std::optional<bool> iommu{};    ///< an IOMMU translates
  std::string iommu_options{};    ///< words of the kernel's command line about it
  std::optional<bool> peermem{};  ///< nvidia_peermem or nv_peer_mem is loaded
  std::optional<bool> dma_buf{};  ///< kernel and driver can; a NIC may still lack it

  friend bool operator==(const HostFacts&, const HostFacts&) = default;
};

struct HostInfo {
  std::string host;
  std::string kernel;
  std::string driver;  ///< of the GPUs; empty: none
  std::uint64_t memory_bytes = 0;
  int cpus = 0;
  std::map<std::string, std::string> variables;  ///< only those with known prefixes
  std::map<std::string, std::string> files;      ///< hidden settings: file name -> text
  HostFacts facts{};
};

struct Manifest {
  int schema_version = result_schema_version;
  std::string viaduct_version;
  std::string started_at;  ///< UTC, "2026-11-30T10:48:17Z"
  std::vector<std::string> command_line;
  std::string plan;  ///< name of the plan, empty: command line only
  Engine engine = Engine::nccl;
  int ranks = 0;
  std::string group = "all";  ///< all, host, rail, or the number of ranks in a group
  std::string lanes;          ///< together or serial
  std::string method;
  std::uint64_t seed = 0;
  std::string mpi_library;
  int nccl_built = 0;    ///< NCCL_VERSION_CODE of nccl.h; 0: none
  int nccl_running = 0;  ///< ncclGetVersion of the library in use
  int cuda_driver = 0;
  int cuda_runtime = 0;
  double lanes_open_s = 0;  ///< from the start of viaduct-rank until every lane could measure
  std::vector<PathSpec> paths;
  std::vector<RankInfo> rank_info;
  std::vector<HostInfo> hosts;
  std::vector<FoldedTopology> topologies;  ///< empty: not read
  std::vector<std::string> warnings;
  /// Keys of measurements that an imported source does not say ("buffers"): what they hold is no
  /// finding. Empty for our own runs.
  std::vector<std::string> not_known;
};

}  // namespace viaduct
