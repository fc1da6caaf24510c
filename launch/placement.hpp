#pragma once
// How many ranks go where, out of what was asked for and what is known of the hosts. Pure; knows no
// launcher's words.

#include "launch/hosts_file.hpp"
#include "launch/launch_line.hpp"

#include <vector>

namespace viaduct {

struct Placement {
  int ranks = 1;
  int per_host = 0;              ///< 0: the launcher fills one host after the other
  int host_count = 0;            ///< hosts that are used; 0: not known
  std::vector<HostSlots> hosts;  ///< of the hosts file; empty: this host, or the allocation

  [[nodiscard]] bool spans_hosts() const { return host_count > 1; }
};

/// `hosts` of the hosts file; where there is none, `known_hosts` is how many hosts there are (0:
/// not known). Throws Error(usage): no number of ranks follows from the request, or numbers that do
/// not fit.
Placement place_ranks(const LaunchRequest& request, int known_hosts, std::vector<HostSlots> hosts);

}  // namespace viaduct
