#pragma once
// What differs between the hosts of a run, as a table of host against value. Pure.

#include "core/manifest.hpp"

#include <string>
#include <vector>

namespace viaduct {

struct HostDifferences {
  struct Row {
    std::string what;                 ///< "driver", "NCCL_IB_HCA"
    std::vector<std::string> values;  ///< one for each host; "(unset)", "unknown"

    friend bool operator==(const Row&, const Row&) = default;
  };

  std::vector<std::string> hosts;
  std::vector<Row> rows;  ///< only what differs
};

/// Empty rows for one host, and where all are alike. Variables that name the rank or the node
/// (SLURM_NODEID) or that mpirun hands to the processes it starts (OMPI_MCA_orte_*) are left out,
/// and so are differences of memory below 1 %.
HostDifferences host_differences(const Manifest& manifest);

/// Lines of text, a heading and one line for each row; empty without rows. Of many hosts with one
/// value the first eight are named.
std::vector<std::string> describe(const HostDifferences& differences);

}  // namespace viaduct
