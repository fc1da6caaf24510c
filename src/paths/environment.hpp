#pragma once
// The environment of a worker or of an MPI launch on a path: what is inherited, unset and set, by
// the rules of the README's part on paths. Pure: takes and returns values.

#include "core/case.hpp"
#include "core/path_spec.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace viaduct {

using Environment = std::map<std::string, std::string>;

/// The environment of this process.
Environment current_environment();

/// What the worker of a rank needs besides the path.
struct WorkerSettings {
  std::string log_file;     ///< NCCL_DEBUG_FILE
  std::string ras_address;  ///< NCCL_RAS_ADDR of its own, "localhost:0" style; empty: leave
  std::string cuda_visible_devices;  ///< the value that the rank inherited
  bool had_cuda_visible_devices = false;
  /// plain and nccl: NCCL_LOCAL_REGISTER=0, registered and symmetric: =1; NCCL_GRAPH_REGISTER=0 for
  /// all, or capture would register buffers on one path and not on the other. Unless the path sets
  /// them.
  BufferKind buffers = BufferKind::plain;
  bool logs_tuning = false;  ///< what is chosen for each operation, at the cost of a line for each
  bool keeps_registration = false;  ///< method nccl-tests: both as they are
};

/// Throws Error(refused) when an inherited NCCL_NVLS_ENABLE=0 forbids what the path asks for.
/// Removes OMPI_*, PMIX_*, PMI_*, PRTE_*; sets NCCL_DEBUG=INFO, NCCL_DEBUG_SUBSYS, NCCL_DEBUG_FILE;
/// CUDA_DEVICE_ORDER=PCI_BUS_ID unless set.
Environment worker_environment(const Environment& inherited,
                               const PathSpec& path,
                               const WorkerSettings& settings);

/// What may differ between two environments that come to the same.
enum class AlikeBy {
  environment,  ///< nothing
  /// The level of NCCL_P2P_LEVEL from NVL on: where NVLink joins all GPUs of a host, each level
  /// allows P2P between all of them, and none says anything of other hosts.
  nvlink_everywhere,
};

/// For each path the place of the first of `paths` whose workers would get the same environment:
/// its own place where there is none before it. A path that this environment forbids is like no
/// other.
std::vector<std::size_t> first_with_same_environment(const Environment& inherited,
                                                     const std::vector<PathSpec>& paths,
                                                     const WorkerSettings& settings,
                                                     AlikeBy alike = AlikeBy::environment);

/// Variables that a launch of the mpi engine must have for this path (only what the path sets; see
/// launch_unset).
Environment launch_environment(const Environment& inherited, const PathSpec& path);

/// Variables of `inherited` that such a launch must not have.
std::vector<std::string> launch_unset(const Environment& inherited, const PathSpec& path);

/// One line for each inherited NCCL variable whose value NCCL would ignore in silence, with the
/// right spelling: the path as-is measures such an environment, and its reader should know.
std::vector<std::string> ignored_variables(const Environment& inherited);

/// Those of `environment` with a known prefix (NCCL_, CUDA_, OMPI_MCA_, PMIX_MCA_, UCX_, FI_,
/// SLURM_ ..., no secrets).
Environment recorded_variables(const Environment& environment);

/// Files that NCCL reads settings from in silence, with their lines NAME=value (comments and
/// secrets left out): NCCL_CONF_FILE or ~/.nccl.conf, /etc/nccl.conf.
std::map<std::string, std::string> hidden_settings(const Environment& environment);

}  // namespace viaduct
