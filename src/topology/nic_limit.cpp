#include "topology/nic_limit.hpp"

#include "topology/pcie_limit.hpp"

#include <fmt/format.h>

#include <map>

namespace viaduct {

RateLimit nic_limit(const NicTopology& nic) {
  if (!nic.rate_gbs) {
    return unknown_limit(fmt::format("the rate of {} is not known", nic.name));
  }
  const RateLimit pcie = pcie_limit(nic.pcie);
  if (pcie.gbs && *pcie.gbs < *nic.rate_gbs) {
    return pcie;
  }
  return RateLimit{nic.rate_gbs, fmt::format("{} GB/s", *nic.rate_gbs)};
}

RateLimit nics_limit(const HostTopology& topology) {
  RateLimit sum{0.0, ""};
  std::map<std::string, int> by_rate;
  for (const NicTopology& nic : topology.nics) {
    if (nic.kind == "ethernet" || !nic.is_up.value_or(true)) {
      continue;
    }
    const RateLimit one = nic_limit(nic);
    if (!one.gbs) {
      return one;
    }
    *sum.gbs += *one.gbs;
    ++by_rate[one.formula];
  }
  if (by_rate.empty()) {
    return unknown_limit(topology.nics_known ? "no RDMA NIC is known"
                                             : "the NICs of a host are not known");
  }
  for (const auto& [rate, nics] : by_rate) {
    sum.formula += fmt::format("{}{} NICs x {}", sum.formula.empty() ? "" : " + ", nics, rate);
  }
  return sum;
}

}  // namespace viaduct
