#include "app/launch_check.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

namespace viaduct {
namespace {

using Refusal = std::optional<std::string>;

struct HostRanks {
  std::string name;
  std::vector<const RankFacts*> ranks;  ///< rising
};

/// A host is a group of ranks that share memory: two machines may have one name.
std::vector<HostRanks> by_host(const std::vector<RankFacts>& ranks) {
  std::map<int, HostRanks> hosts;
  for (const RankFacts& rank : ranks) {
    HostRanks& host = hosts[rank.first_of_host];
    host.name = rank.info.host;
    host.ranks.push_back(&rank);
  }
  std::vector<HostRanks> list;
  for (auto& [first, host] : hosts) {
    list.push_back(std::move(host));
  }
  return list;
}

/// The first that is set counts: an mpirun inside a Slurm job leaves both families, and only its
/// own is about this launch.
constexpr std::array size_variables{"OMPI_COMM_WORLD_SIZE",
                                    "MV2_COMM_WORLD_SIZE",
                                    "MVP_COMM_WORLD_SIZE",
                                    "PMI_SIZE",
                                    "SLURM_STEP_NUM_TASKS",
                                    "SLURM_NTASKS"};
constexpr std::array local_rank_variables{"OMPI_COMM_WORLD_LOCAL_RANK",
                                          "MPI_LOCALRANKID",
                                          "MV2_COMM_WORLD_LOCAL_RANK",
                                          "MVP_COMM_WORLD_LOCAL_RANK",
                                          "PMI_LOCAL_RANK",
                                          "PALS_LOCAL_RANKID",
                                          "FLUX_TASK_LOCAL_ID",
                                          "SLURM_LOCALID"};

/// -1: the text is no number.
int number_of(const std::string& text) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : -1;
}

Refusal check_world_size(const std::vector<RankFacts>& ranks,
                         const RunConfig& config,
                         Engine engine) {
  const int size = static_cast<int>(ranks.size());
  if (size == 1 && ranks[0].launcher_ranks > 1) {
    return fmt::format(
        "this process on host {} is alone in MPI_COMM_WORLD, but its launcher started {} ranks: "
        "launcher and MPI library do not fit together; under Slurm use srun --mpi=pmix, under "
        "mpirun the mpirun of this MPI",
        ranks[0].info.host,
        ranks[0].launcher_ranks);
  }
  if (config.expect_ranks > 0 && config.expect_ranks != size) {
    return fmt::format("--expect-ranks {} but {} {} here; start it with mpirun -n {}",
                       config.expect_ranks,
                       size,
                       size == 1 ? "rank is" : "ranks are",
                       config.expect_ranks);
  }
  if (size == 1 && !config.allow_single && engine != Engine::copy) {
    return std::string(
        "one rank alone has no one to talk to: start it with mpirun -n 2 or more (one rank per "
        "GPU), or give "
        "--allow-single");
  }
  return std::nullopt;
}

/// One worker of the copy engine owns all GPUs of its host.
Refusal check_copies_of_host(const HostRanks& host, const RunConfig& config) {
  const RankFacts& rank = *host.ranks.front();
  if (host.ranks.size() > 1) {
    return fmt::format(
        "host {} has {} ranks, but the copy engine takes one rank for all GPUs of a host: start it "
        "without a launcher, with mpirun --map-by ppr:1:node, or with srun --ntasks-per-node=1 "
        "--gpus-per-node=N --gpu-bind=none",
        host.name,
        host.ranks.size());
  }
  if (rank.visible_gpus == 0) {
    return fmt::format("no GPU is visible to rank {} on host {} (CUDA_VISIBLE_DEVICES {})",
                       rank.info.rank,
                       host.name,
                       rank.info.cuda_visible_devices);
  }
  if (config.expect_gpus_per_node > 0 && config.expect_gpus_per_node != rank.visible_gpus) {
    return fmt::format(
        "--expect-gpus-per-node {} but rank {} on host {} sees {}: under Slurm start "
        "it with --gpus-per-node={} --gpu-bind=none",
        config.expect_gpus_per_node,
        rank.info.rank,
        host.name,
        rank.visible_gpus,
        config.expect_gpus_per_node);
  }
  return std::nullopt;
}

Refusal check_versions(const std::vector<RankFacts>& ranks) {
  for (const RankFacts& rank : ranks) {
    if (rank.viaduct_version != ranks[0].viaduct_version) {
      return fmt::format(
          "mixed versions of viaduct: rank 0 on host {} is {}, rank {} on host {} is {}; start "
          "the same build on every host",
          ranks[0].info.host,
          ranks[0].viaduct_version,
          rank.info.rank,
          rank.info.host,
          rank.viaduct_version);
    }
  }
  return std::nullopt;
}

bool asks_for_instance(const std::string& cuda_visible_devices) {
  return cuda_visible_devices.starts_with("MIG-") ||
         cuda_visible_devices.find(",MIG-") != std::string::npos;
}

/// What makes the GPU of one rank unfit, whatever the others have.
Refusal check_gpu_of_rank(const RankFacts& rank) {
  const std::string& host = rank.info.host;
  const std::string& visible = rank.info.cuda_visible_devices;
  if (asks_for_instance(visible)) {
    return fmt::format(
        "rank {} on host {}: CUDA_VISIBLE_DEVICES is {}, a MIG instance; NCCL cannot join MIG "
        "instances, disable MIG first and give whole GPUs",
        rank.info.rank,
        host,
        visible);
  }
  if (rank.mig_enabled) {
    return fmt::format(
        "host {}: MIG is enabled on GPU {}; NCCL cannot join MIG instances, disable MIG first",
        host,
        rank.info.gpu.bus_id);
  }
  if (rank.visible_gpus == 0) {
    return fmt::format(
        "rank {} on host {} sees no GPU (CUDA_VISIBLE_DEVICES is {}); the nccl engine needs one "
        "GPU for each rank, --engine mpi needs none",
        rank.info.rank,
        host,
        visible.empty() ? "empty" : visible);
  }
  if (rank.compute_mode == "prohibited") {
    return fmt::format("host {}: GPU {} is in compute mode prohibited", host, rank.info.gpu.bus_id);
  }
  return std::nullopt;
}

Refusal check_gpus_of_host(const HostRanks& members, const RunConfig& config) {
  const std::string& host = members.name;
  const int size = static_cast<int>(members.ranks.size());
  for (const RankFacts* rank : members.ranks) {
    if (Refusal refusal = check_gpu_of_rank(*rank)) {
      return refusal;
    }
    // One GPU each may be a different one for each task: that shows when the workers say hello.
    if (rank->visible_gpus > 1 && rank->visible_gpus < size) {
      return fmt::format(
          "host {} has {} ranks but {} visible GPUs; start one rank per GPU: mpirun -n {} (or "
          "--map-by ppr:{}:node over several hosts)",
          host,
          size,
          rank->visible_gpus,
          rank->visible_gpus,
          rank->visible_gpus);
    }
  }
  if (config.expect_gpus_per_node > 0 && size != config.expect_gpus_per_node) {
    return fmt::format(
        "--expect-gpus-per-node {} but host {} has {} {}; start it with --map-by ppr:{}:node "
        "(srun --ntasks-per-node={})",
        config.expect_gpus_per_node,
        host,
        size,
        size == 1 ? "rank" : "ranks",
        config.expect_gpus_per_node,
        config.expect_gpus_per_node);
  }
  return std::nullopt;
}

/// "ranks 0 (node1) and 4 (node2)", and how many hosts more.
std::string first_two(const std::vector<const HostRanks*>& hosts) {
  const RankInfo& one = hosts[0]->ranks.front()->info;
  const RankInfo& other = hosts[1]->ranks.front()->info;
  return fmt::format(
      "ranks {} ({}) and {} ({}){}",
      one.rank,
      one.host,
      other.rank,
      other.host,
      hosts.size() > 2 ? fmt::format(", and those of {} more,", hosts.size() - 2) : "");
}

/// Hosts that have the same text in common; an empty text says nothing.
template <typename Read>
std::map<std::string, std::vector<const HostRanks*>> hosts_by(const std::vector<HostRanks>& hosts,
                                                              Read read) {
  std::map<std::string, std::vector<const HostRanks*>> groups;
  for (const HostRanks& host : hosts) {
    if (const std::string text = read(host); !text.empty()) {
      groups[text].push_back(&host);
    }
  }
  return groups;
}

std::string boot_of(const HostRanks& host) {
  return host.ranks.front()->info.boot_id;
}

/// Names of hosts that mislead: NCCL tells hosts apart by name and boot id. One line for each
/// machine and name, however many hosts it is about.
void warn_of_names(const std::vector<HostRanks>& hosts, std::vector<std::string>& warnings) {
  for (const auto& [boot, members] : hosts_by(hosts, boot_of)) {
    if (members.size() > 1) {
      warnings.push_back(fmt::format(
          "{} run on one machine but share no memory, as in different containers: NCCL takes them "
          "for different hosts",
          first_two(members)));
    }
  }
  for (const auto& [name, members] : hosts_by(hosts, [](const HostRanks& h) { return h.name; })) {
    std::vector<const HostRanks*> machines;
    for (const HostRanks* host : members) {
      const auto is_same = [host](const HostRanks* other) {
        return !boot_of(*host).empty() && boot_of(*host) == boot_of(*other);
      };
      if (std::none_of(machines.begin(), machines.end(), is_same)) {
        machines.push_back(host);
      }
    }
    if (machines.size() > 1) {
      warnings.push_back(
          fmt::format("{} run on {} hosts that are all called {}; they are kept apart, but names "
                      "do not tell which is which",
                      first_two(machines),
                      machines.size(),
                      name));
    }
  }
}

/// The communicator's word stands; a program that believes the variable would pick another GPU.
void warn_of_local_ranks(const std::vector<RankFacts>& ranks, std::vector<std::string>& warnings) {
  for (const RankFacts& rank : ranks) {
    if (rank.local_rank_said >= 0 && rank.local_rank_said != rank.info.local_rank) {
      warnings.push_back(fmt::format(
          "rank {} on host {} is local rank {} by MPI, but {} says otherwise; MPI's counts here, "
          "a job that believes the variable would take another GPU",
          rank.info.rank,
          rank.info.host,
          rank.info.local_rank,
          rank.local_rank_variable));
      return;  // one is enough: they are all alike
    }
  }
}

}  // namespace

Refusal refusal_before_workers(const std::vector<RankFacts>& ranks,
                               const RunConfig& config,
                               Engine engine) {
  if (Refusal refusal = check_world_size(ranks, config, engine)) {
    return refusal;
  }
  if (Refusal refusal = check_versions(ranks)) {
    return refusal;
  }
  if (engine == Engine::mpi) {
    return std::nullopt;
  }
  for (const HostRanks& host : by_host(ranks)) {
    if (Refusal refusal = engine == Engine::copy ? check_copies_of_host(host, config)
                                                 : check_gpus_of_host(host, config)) {
      return refusal;
    }
  }
  return std::nullopt;
}

LauncherWords read_launcher_words(const std::map<std::string, std::string>& inherited) {
  LauncherWords words;
  for (const char* variable : size_variables) {
    if (const auto found = inherited.find(variable); found != inherited.end()) {
      words.ranks = std::max(number_of(found->second), 0);
      break;
    }
  }
  for (const char* variable : local_rank_variables) {
    if (const auto found = inherited.find(variable); found != inherited.end()) {
      words.local_rank_variable = fmt::format("{}={}", variable, found->second);
      words.local_rank = number_of(found->second);
      break;
    }
  }
  return words;
}

GroupMap groups_of_copies(const std::vector<RankSite>& sites) {
  return sites.size() == 1 ? GroupMap::of_all(1) : make_group_map("host", sites, true);
}

int most_gpus(const std::vector<RankFacts>& ranks) {
  int most = 1;
  for (const RankFacts& rank : ranks) {
    most = std::max(most, rank.visible_gpus);
  }
  return most;
}

bool has_equal_gpus(const std::vector<RankFacts>& ranks) {
  return std::all_of(ranks.begin(), ranks.end(), [&ranks](const RankFacts& rank) {
    return rank.visible_gpus == ranks.front().visible_gpus;
  });
}

std::vector<std::string> hosts_of(const std::vector<RankFacts>& facts) {
  std::vector<std::string> hosts;
  for (const RankFacts& one : facts) {
    hosts.push_back(one.info.host);
  }
  return hosts;
}

std::vector<RankSite> sites_of(const std::vector<RankFacts>& ranks) {
  std::vector<RankSite> sites;
  for (const RankFacts& rank : ranks) {
    sites.push_back({rank.info.host, rank.first_of_host, rank.info.local_rank});
  }
  return sites;
}

Refusal refusal_of_workers(const std::vector<WorkerFacts>& ranks) {
  std::map<std::string, const WorkerFacts*> holders;
  for (const WorkerFacts& rank : ranks) {
    const auto [holder, is_new] = holders.emplace(rank.gpu_uuid, &rank);
    if (!is_new) {
      return fmt::format(
          "ranks {} and {} on host {} are on the same GPU {} ({}): each task sees one GPU and it "
          "is the "
          "same one; start one rank per GPU, under Slurm with --gpus-per-node=N --gpu-bind=none",
          holder->second->rank,
          rank.rank,
          rank.host,
          rank.bus_id,
          rank.gpu_uuid);
    }
    if (rank.nccl_running != ranks[0].nccl_running) {
      return fmt::format(
          "mixed NCCL versions: rank {} on host {} runs {}, rank {} on host {} runs {}",
          ranks[0].rank,
          ranks[0].host,
          ranks[0].nccl_running,
          rank.rank,
          rank.host,
          rank.nccl_running);
    }
  }
  return std::nullopt;
}

std::vector<std::string> launch_warnings(const std::vector<RankFacts>& ranks, Engine engine) {
  std::vector<std::string> warnings;
  const std::vector<HostRanks> hosts = by_host(ranks);
  warn_of_names(hosts, warnings);
  warn_of_local_ranks(ranks, warnings);
  if (engine != Engine::nccl) {
    return warnings;
  }
  std::vector<std::string> isolated;
  for (const HostRanks& host : hosts) {
    const bool one_each = std::all_of(host.ranks.begin(), host.ranks.end(), [](const RankFacts* r) {
      return r->visible_gpus == 1;
    });
    if (one_each && host.ranks.size() > 1) {
      isolated.push_back(host.name);
    }
  }
  if (!isolated.empty()) {
    const std::string more =
        isolated.size() > 1 ? fmt::format(" (and {} more hosts)", isolated.size() - 1) : "";
    warnings.push_back(
        fmt::format("host {}{}: each rank sees one GPU only; where that costs peer access, start "
                    "with all GPUs visible (srun --gpus-per-node=N --gpu-bind=none)",
                    isolated.front(),
                    more));
  }
  return warnings;
}

bool needs_serial_lanes(const std::vector<RankFacts>& ranks,
                        std::size_t lanes,
                        std::uint64_t lane_bytes) {
  return std::any_of(ranks.begin(), ranks.end(), [&](const RankFacts& rank) {
    const bool exclusive = rank.compute_mode == "exclusive-process";
    const bool short_of_memory =
        rank.gpu_free_bytes > 0 && rank.gpu_free_bytes < 2 * lane_bytes * lanes;
    return lanes > 1 && (exclusive || short_of_memory);
  });
}

std::string to_text(const RankFacts& facts) {
  const nlohmann::json json{
      {"rank", facts.info.rank},
      {"local_rank", facts.info.local_rank},
      {"host", facts.info.host},
      {"boot_id", facts.info.boot_id},
      {"pid", facts.info.pid},
      {"launcher_cpus", facts.info.launcher_cpus},
      {"worker_cpus", facts.info.worker_cpus},
      {"numa_node", facts.info.numa_node},
      {"node_cpus", facts.info.node_cpus},
      {"nearest_nic", facts.info.nearest_nic},
      {"cuda_visible_devices", facts.info.cuda_visible_devices},
      {"peer_access", facts.info.peer_access ? to_text(*facts.info.peer_access) : ""},
      {"gpu",
       {{"device", facts.info.gpu.device},
        {"name", facts.info.gpu.name},
        {"uuid", facts.info.gpu.uuid},
        {"bus_id", facts.info.gpu.bus_id},
        {"memory_bytes", facts.info.gpu.memory_bytes}}},
      {"local_size", facts.local_size},
      {"first_of_host", facts.first_of_host},
      {"visible_gpus", facts.visible_gpus},
      {"mig_enabled", facts.mig_enabled},
      {"compute_mode", facts.compute_mode},
      {"gpu_free_bytes", facts.gpu_free_bytes},
      {"launcher_ranks", facts.launcher_ranks},
      {"local_rank_variable", facts.local_rank_variable},
      {"local_rank_said", facts.local_rank_said},
      {"viaduct_version", facts.viaduct_version},
  };
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

RankFacts rank_facts_from_text(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text);
  RankFacts facts;
  json.at("rank").get_to(facts.info.rank);
  json.at("local_rank").get_to(facts.info.local_rank);
  json.at("host").get_to(facts.info.host);
  json.at("boot_id").get_to(facts.info.boot_id);
  json.at("pid").get_to(facts.info.pid);
  json.at("launcher_cpus").get_to(facts.info.launcher_cpus);
  json.at("worker_cpus").get_to(facts.info.worker_cpus);
  json.at("numa_node").get_to(facts.info.numa_node);
  json.at("node_cpus").get_to(facts.info.node_cpus);
  json.at("nearest_nic").get_to(facts.info.nearest_nic);
  json.at("cuda_visible_devices").get_to(facts.info.cuda_visible_devices);
  if (const auto access = json.at("peer_access").get<std::string>(); !access.empty()) {
    facts.info.peer_access = peer_access_from_text(access);
  }
  const nlohmann::json& gpu = json.at("gpu");
  gpu.at("device").get_to(facts.info.gpu.device);
  gpu.at("name").get_to(facts.info.gpu.name);
  gpu.at("uuid").get_to(facts.info.gpu.uuid);
  gpu.at("bus_id").get_to(facts.info.gpu.bus_id);
  gpu.at("memory_bytes").get_to(facts.info.gpu.memory_bytes);
  json.at("local_size").get_to(facts.local_size);
  json.at("first_of_host").get_to(facts.first_of_host);
  json.at("visible_gpus").get_to(facts.visible_gpus);
  json.at("mig_enabled").get_to(facts.mig_enabled);
  json.at("compute_mode").get_to(facts.compute_mode);
  json.at("gpu_free_bytes").get_to(facts.gpu_free_bytes);
  json.at("launcher_ranks").get_to(facts.launcher_ranks);
  json.at("local_rank_variable").get_to(facts.local_rank_variable);
  json.at("local_rank_said").get_to(facts.local_rank_said);
  json.at("viaduct_version").get_to(facts.viaduct_version);
  return facts;
}

}  // namespace viaduct
