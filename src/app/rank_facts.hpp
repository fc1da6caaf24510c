#pragma once
// What one rank reads of itself and its host before any worker starts.

#include "app/launch_check.hpp"
#include "paths/environment.hpp"
#include "probe/gpus.hpp"

#include <string>

namespace viaduct {

struct RankPlace {
  int rank = 0;
  int local_rank = 0;
  int local_size = 1;
  int first_of_host = 0;             ///< lowest rank of the host
  std::string cuda_visible_devices;  ///< "(unset)" when it was not set
};

/// `inherited` from before MPI_Init, which sets variables of its own where no launcher did.
RankFacts read_rank_facts(const RankPlace& place,
                          const NvmlReport& gpus,
                          const Environment& inherited);

/// Host description with recorded variables and hidden settings files.
HostInfo read_host_info(const NvmlReport& gpus, const Environment& inherited);

/// CUDA_VISIBLE_DEVICES, or "(unset)".
std::string visible_devices(const Environment& environment);

std::string to_text(const HostInfo& host);
HostInfo host_info_from_text(const std::string& text);

}  // namespace viaduct
