#pragma once
// Whether a launch makes sense before anything is measured. Pure: facts of all ranks in, a reason
// to refuse out.

#include "config/run_config.hpp"
#include "core/group_map.hpp"
#include "core/manifest.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace viaduct {

/// What one rank saw before its workers start.
struct RankFacts {
  RankInfo info;
  int local_size = 1;
  int first_of_host = 0;  ///< lowest rank of the host
  int visible_gpus = 0;   ///< nccl engine only
  bool mig_enabled = false;
  std::string compute_mode;  ///< of this rank's GPU
  std::uint64_t gpu_free_bytes = 0;
  int launcher_ranks = 0;             ///< ranks that the launcher's variables promise; 0: none set
  std::string local_rank_variable{};  ///< of the launcher, with its value "NAME=2"; empty: none set
  int local_rank_said = -1;           ///< that value; -1: none set, or no number
  std::string viaduct_version{};
};

/// What the launcher's variables say of a rank, before MPI had a chance to set its own.
struct LauncherWords {
  int ranks = 0;  ///< 0: it does not say
  std::string local_rank_variable{};
  int local_rank = -1;
};

LauncherWords read_launcher_words(const std::map<std::string, std::string>& inherited);

std::string to_text(const RankFacts& facts);
RankFacts rank_facts_from_text(const std::string& text);

/// The reason to refuse: what was seen, on which host, and the launch line that would be right.
/// Empty: go on.
std::optional<std::string> refusal_before_workers(const std::vector<RankFacts>& ranks,
                                                  const RunConfig& config,
                                                  Engine engine);

/// The groups of the copy engine: every host, which is one rank, by itself.
GroupMap groups_of_copies(const std::vector<RankSite>& sites);

/// Visible GPUs of the host that has most, at least 1.
int most_gpus(const std::vector<RankFacts>& ranks);

/// Whether every rank sees as many GPUs as the others.
bool has_equal_gpus(const std::vector<RankFacts>& ranks);

/// The host of each rank.
std::vector<std::string> hosts_of(const std::vector<RankFacts>& facts);

/// Where the ranks run, as far as groups of them depend on it.
std::vector<RankSite> sites_of(const std::vector<RankFacts>& ranks);

/// After every worker has said which GPU it holds and which NCCL it runs.
struct WorkerFacts {
  int rank = 0;
  std::string host;
  std::string gpu_uuid;
  std::string bus_id;
  int nccl_running = 0;
};

std::optional<std::string> refusal_of_workers(const std::vector<WorkerFacts>& ranks);

/// What does not forbid the launch but costs: one visible GPU per task, and the like.
std::vector<std::string> launch_warnings(const std::vector<RankFacts>& ranks, Engine engine);

/// together, or serial where several processes on one GPU are not allowed or its memory is short.
/// `lane_bytes`: memory that one lane takes besides buffers.
bool needs_serial_lanes(const std::vector<RankFacts>& ranks,
                        std::size_t lanes,
                        std::uint64_t lane_bytes);

}  // namespace viaduct
