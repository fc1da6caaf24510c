#pragma once
// Which ranks share a host, as indices: what a plan and an analysis of pairs need to know of a
// launch.

#include "core/group_map.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace viaduct {

/// Hosts are numbered in the order of their first rank. A seat is the place of a rank in its host,
/// from 0 on, by local rank; ranks of the same seat on different hosts are on the same rail.
class HostLayout {
 public:
  HostLayout() = default;

  /// One site for each rank. Two hosts that share a name get "#" and their first rank behind it.
  static HostLayout of(const std::vector<RankSite>& sites);

  /// host_of[rank] is any number that ranks of one host share; hosts are named "host0", ...
  static HostLayout of_hosts(const std::vector<int>& host_of);

  [[nodiscard]] int ranks() const { return static_cast<int>(host_of_.size()); }

  [[nodiscard]] int hosts() const { return static_cast<int>(ranks_of_.size()); }

  /// Ranks of the largest host.
  [[nodiscard]] int seats() const { return seats_; }

  [[nodiscard]] int host_of(int rank) const { return host_of_.at(static_cast<std::size_t>(rank)); }

  [[nodiscard]] int seat_of(int rank) const { return seat_of_.at(static_cast<std::size_t>(rank)); }

  /// By seat.
  [[nodiscard]] const std::vector<int>& ranks_of(int host) const {
    return ranks_of_.at(static_cast<std::size_t>(host));
  }

  [[nodiscard]] const std::string& name(int host) const {
    return names_.at(static_cast<std::size_t>(host));
  }

  [[nodiscard]] bool is_one_host(int rank, int other) const {
    return host_of(rank) == host_of(other);
  }

 private:
  std::vector<int> host_of_;
  std::vector<int> seat_of_;
  std::vector<std::vector<int>> ranks_of_;
  std::vector<std::string> names_;
  int seats_ = 0;
};

}  // namespace viaduct
