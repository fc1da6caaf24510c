#include "unit/report/sample_result.hpp"

namespace viaduct::test {

namespace {

RankInfo sample_rank(int rank) {
  RankInfo info;
  info.rank = rank;
  info.local_rank = rank;
  info.host = "node01";
  info.boot_id = "5d0c";
  info.pid = 4000 + rank;
  info.launcher_cpus = "3";
  info.worker_cpus = "0-47";
  info.numa_node = 0;
  info.cuda_visible_devices = "(unset)";
  info.gpu = {rank, "NVIDIA H200", "GPU-0" + std::to_string(rank), "0000:17:00.0", 150754820096};
  return info;
}

HostTopology sample_topology() {
  GpuTopology gpu{.index = 0, .name = "NVIDIA H200", .bus_id = "0000:17:00.0"};
  gpu.numa_node = 0;
  gpu.cpus = "0-47";
  gpu.pcie = PcieLink{1, 16, 5, 16};
  gpu.has_c2c = false;
  gpu.nvlinks_known = true;
  gpu.nvlinks = {NvLink{0, true, 26.562, "4.0", "switch", "", true},
                 NvLink{1, false, std::nullopt, "", "gpu", "0000:18:00.0", std::nullopt}};
  NicTopology nic;
  nic.name = "mlx5_0";
  nic.interface = "ib0";
  nic.kind = "infiniband";
  nic.bus_id = "0000:19:00.0";
  nic.is_up = true;
  nic.rate_gbs = 50;
  nic.numa_node = 0;
  nic.pcie = PcieLink{5, 16, 5, 16};
  HostTopology topology;
  topology.gpus = {gpu, GpuTopology{.index = 1}};
  topology.nics_known = true;
  topology.cpu_vendor = "GenuineIntel";
  topology.nics = {nic, NicTopology{.name = "eth0"}};
  topology.distances = {{*distance_from_label("X"), *distance_from_label("NV18"), {}},
                        {*distance_from_label("NV18"), *distance_from_label("X"), {}}};
  topology.p2p_read = {{"X", "OK"}, {"", "X"}};
  topology.acs = false;
  topology.notes = {"GPU1: its links are not known"};
  return topology;
}

PathSpec sample_path(const std::string& name) {
  PathSpec path;
  path.name = name;
  path.summary = "A path.";
  path.set = {{"NCCL_P2P_LEVEL", "SYS"}};
  path.unset = {"NCCL_ALGO"};
  path.must = {{"same_host", "P2P"}};
  return path;
}

Measurement without_numbers(const std::string& path, Status status, const std::string& reason) {
  Measurement m = sample_measurement(path, 1);
  m.status = status;
  m.reason = reason;
  m.time_us.reset();
  m.algbw_gbs.reset();
  m.busbw_gbs.reset();
  m.wrong.reset();
  m.checked = "none";
  m.checked_operations = 0;
  m.per_rank_median_us.clear();
  m.stopped.clear();
  m.allocator.clear();
  m.registration.clear();
  m.first_operation_us = 0;
  return m;
}

void add_sizes(Result& result) {
  Measurement empty = sample_measurement("direct", 4.9);
  empty.c.size_bytes = 0;
  empty.count = 0;
  empty.algbw_gbs = 0;
  empty.busbw_gbs = 0;
  result.measurements.push_back(empty);
  empty.path = "host-staged";
  empty.wrong.reset();
  empty.checked = "none";
  result.measurements.push_back(empty);
  Measurement small = sample_measurement("direct", 5.4);
  small.c.size_bytes = 8;
  small.count = 2;
  small.settled = false;
  small.stopped = "cap";
  result.measurements.push_back(small);
  small.path = "host-staged";
  small.status = Status::wrong;
  small.wrong = 17;
  small.reason = "17 of 2048 elements differ";
  result.measurements.push_back(small);
  Measurement lost =
      without_numbers("socket", Status::lost, "rank 1 on node01: signal 6 (Aborted)");
  lost.c.size_bytes = 8;
  lost.count = 2;
  result.measurements.push_back(lost);
}

}  // namespace

Manifest sample_manifest() {
  Manifest manifest;
  manifest.viaduct_version = "0.1.0";
  manifest.started_at = "2026-11-30T10:48:17Z";
  manifest.command_line = {"viaduct", "run", "all_reduce"};
  manifest.plan = "quick";
  manifest.ranks = 2;
  manifest.lanes = "together";
  manifest.method = "viaduct";
  manifest.seed = 18446744073709551615ULL;
  manifest.mpi_library = "Open MPI 4.1.4";
  manifest.nccl_built = 22809;
  manifest.nccl_running = 22803;
  manifest.cuda_driver = 13000;
  manifest.cuda_runtime = 13000;
  manifest.lanes_open_s = 2.4;
  for (const char* path : {"direct", "host-staged", "socket"}) {
    manifest.paths.push_back(sample_path(path));
  }
  manifest.rank_info = {sample_rank(0), sample_rank(1)};
  manifest.rank_info[1].gpu = GpuInfo{};
  manifest.hosts = {
      {"node01", "Linux 6.1", "580.65", 1082331758592, 96, {{"NCCL_DEBUG", "INFO"}}, {}}};
  manifest.hosts[0].files = {{"/etc/nccl.conf", "NCCL_P2P_DISABLE=0\n"}};
  manifest.hosts[0].facts.shm_bytes = std::uint64_t{1} << 36U;
  manifest.hosts[0].facts.memlock_bytes = HostFacts::unlimited;
  manifest.hosts[0].facts.iommu = false;
  manifest.topologies = {{{"node01"}, sample_topology()}};
  manifest.warnings = {"rank 1 sees one GPU"};
  return manifest;
}

Measurement sample_measurement(const std::string& path, double median_us) {
  Measurement m;
  m.path = path;
  m.c.operation = "all_reduce";
  m.c.size_bytes = 1U << 20U;
  m.c.mode = Mode::graph;
  m.c.traffic.name = "";
  m.count = 262144;
  m.reduces = true;
  m.ranks = 2;
  m.time_us = TimeSummary{median_us,
                          median_us * 0.996,
                          median_us * 1.005,
                          median_us * 0.99,
                          median_us,
                          std::nullopt,
                          std::nullopt,
                          median_us * 1.1,
                          0.01,
                          18,
                          7200};
  m.algbw_gbs = 1048576 / median_us * 1e-3;
  m.busbw_gbs = m.algbw_gbs;
  m.wrong = 0;
  m.checked = "timed";
  m.checked_operations = 400;
  m.per_rank_median_us = {median_us, median_us * 0.999};
  m.stopped = "interval";
  m.batch_operations = 400;
  m.slots = 64;
  m.memory_bytes = 1U << 26U;
  m.lanes = "together";
  m.allocator = "cudaMalloc";
  m.registration = "none";
  m.first_operation_us = 1234.5;
  return m;
}

Verdict sample_verdict(const Measurement& m, const std::string& reference, double ratio) {
  Verdict verdict;
  verdict.reference = reference;
  verdict.path = m.path;
  verdict.engine = m.engine;
  verdict.c = m.c;
  verdict.reduces = m.reduces;
  verdict.has_root = m.has_root;
  verdict.ranks = m.ranks;
  verdict.ratio = RatioSummary{ratio, ratio * 0.998, ratio * 1.003, 18};
  verdict.verdict = "unproven";
  return verdict;
}

PairFinding sample_finding() {
  PairFinding finding;
  finding.path = "direct";
  finding.operation = "pair_unidirectional";
  finding.size_bytes = 1U << 20U;
  finding.unit = "GB/s";
  finding.kind = "slow host";
  finding.subject = "host node3";
  finding.flow = "both";
  finding.host = "node3";
  finding.classes = {{"other host, same rail", false, 1.3, 11.9, 9.1, 6, 15, 1, 1e-6}};
  finding.text = "host node3: slow";
  return finding;
}

Result sample_result() {
  Result result;
  result.manifest = sample_manifest();
  add_sizes(result);
  Verdict broken = sample_verdict(result.measurements[3], "direct", 1);
  broken.ratio.reset();
  broken.verdict = "broken";
  broken.reason = "host-staged had wrong data";
  result.verdicts.push_back(broken);
  Measurement direct = sample_measurement("direct", 25.193);
  direct.slowest_rank = 1;
  direct.launches = LaunchSpread{{25.1, 25.3}, 0.0079};
  direct.samples_us = {25.1, 25.2, 25.3};
  result.measurements.push_back(direct);
  result.measurements.push_back(sample_measurement("host-staged", 247.73));
  result.measurements.back().evidence =
      CaseEvidence{EvidenceState::proven,
                   "both",
                   "seen",
                   {{"SHM/direct", 2}},
                   CountedBytes{{.nvlink = 0, .pcie = 3, .rdma = {}, .net = 5}, 1, 1, 400, ""}};
  result.measurements.back().algorithm = AlgorithmChoice{"RING", "", 0};
  result.measurements.back().limit_gbs = 57.6;
  result.measurements.back().limit_formula = "GPU0: PCIe 5 x16";
  result.measurements.back().health = "rank 1: throttled";
  result.verdicts.push_back(sample_verdict(result.measurements.back(), "direct", 9.833));
  result.measurements.push_back(
      without_numbers("socket", Status::skipped, "NCCL has no network plugin here"));
  PathEvidence evidence;
  evidence.path = "host-staged";
  evidence.pairs = {{0, 1, {"SHM/direct"}, 2, EvidenceState::proven, ""},
                    {0, -1, {"NVLS"}, 0, EvidenceState::unknown, "set up besides"}};
  result.evidences.push_back(evidence);
  result.end = End{"complete", 7, "", 12.25, 8, 1, 1, 1};
  return result;
}

}  // namespace viaduct::test
