#include "app/launch_check.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace viaduct {
namespace {

using Refusal = std::optional<std::string>;

/// Ranks of each host, in rank order.
std::map<std::string, std::vector<const RankFacts*>> by_host(const std::vector<RankFacts>& ranks) {
  std::map<std::string, std::vector<const RankFacts*>> hosts;
  for (const RankFacts& rank : ranks) {
    hosts[rank.info.host].push_back(&rank);
  }
  return hosts;
}

Refusal check_world_size(const std::vector<RankFacts>& ranks, const RunConfig& config) {
  const int size = static_cast<int>(ranks.size());
  if (size == 1 && ranks[0].launcher_ranks > 1) {
    return fmt::format(
        "this process is alone in MPI_COMM_WORLD, but its launcher started {} ranks: launcher and "
        "MPI library do "
        "not fit together; under Slurm use srun --mpi=pmix, under mpirun the mpirun of this MPI",
        ranks[0].launcher_ranks);
  }
  if (config.expect_ranks > 0 && config.expect_ranks != size) {
    return fmt::format("--expect-ranks {} but {} {} here; start it with mpirun -n {}",
                       config.expect_ranks,
                       size,
                       size == 1 ? "rank is" : "ranks are",
                       config.expect_ranks);
  }
  if (size == 1 && !config.allow_single) {
    return std::string(
        "one rank alone has no one to talk to: start it with mpirun -n 2 or more (one rank per "
        "GPU), or give "
        "--allow-single");
  }
  return std::nullopt;
}

Refusal check_gpus_of_host(const std::string& host,
                           const std::vector<const RankFacts*>& ranks,
                           const RunConfig& config) {
  const int size = static_cast<int>(ranks.size());
  for (const RankFacts* rank : ranks) {
    if (rank->visible_gpus == 0) {
      return fmt::format(
          "rank {} on host {} sees no GPU (CUDA_VISIBLE_DEVICES is {}); the nccl engine needs one "
          "GPU for "
          "each rank, --engine mpi needs none",
          rank->info.rank,
          host,
          rank->info.cuda_visible_devices.empty() ? "empty" : rank->info.cuda_visible_devices);
    }
    if (rank->mig_enabled) {
      return fmt::format(
          "host {}: MIG is enabled on GPU {}; NCCL cannot join MIG instances, disable MIG first",
          host,
          rank->info.gpu.bus_id);
    }
    if (rank->compute_mode == "prohibited") {
      return fmt::format(
          "host {}: GPU {} is in compute mode prohibited", host, rank->info.gpu.bus_id);
    }
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
    return fmt::format("--expect-gpus-per-node {} but host {} has {} ranks",
                       config.expect_gpus_per_node,
                       host,
                       size);
  }
  return std::nullopt;
}

}  // namespace

Refusal refusal_before_workers(const std::vector<RankFacts>& ranks,
                               const RunConfig& config,
                               Engine engine) {
  if (Refusal refusal = check_world_size(ranks, config)) {
    return refusal;
  }
  if (engine != Engine::nccl) {
    return std::nullopt;
  }
  for (const auto& [host, members] : by_host(ranks)) {
    if (Refusal refusal = check_gpus_of_host(host, members, config)) {
      return refusal;
    }
  }
  return std::nullopt;
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
  if (engine != Engine::nccl) {
    return warnings;
  }
  for (const auto& [host, members] : by_host(ranks)) {
    const bool one_each = std::all_of(members.begin(), members.end(), [](const RankFacts* rank) {
      return rank->visible_gpus == 1;
    });
    if (one_each && members.size() > 1) {
      warnings.push_back(
          fmt::format("host {}: each rank sees one GPU only; where that costs peer access, start "
                      "with all GPUs visible "
                      "(srun --gpus-per-node=N --gpu-bind=none)",
                      host));
    }
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
      {"cuda_visible_devices", facts.info.cuda_visible_devices},
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
  json.at("cuda_visible_devices").get_to(facts.info.cuda_visible_devices);
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
  return facts;
}

}  // namespace viaduct
