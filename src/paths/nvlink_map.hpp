#pragma once
// Which ordered pairs of ranks NVLink joins, as far as it is known. Pure; who asks the hardware is
// not known here.

#include "paths/path_judgement.hpp"

#include <map>
#include <utility>
#include <vector>

namespace viaduct {

class NvlinkMap {
 public:
  void set(int from, int to, bool is_joined) { joined_[{from, to}] = is_joined; }

  /// Between these ranks: not_every_pair as soon as one pair is known to have none, unknown while
  /// nothing is known of one; also for fewer than two ranks.
  [[nodiscard]] NvlinkReach reach(const std::vector<int>& ranks) const;

 private:
  std::map<std::pair<int, int>, bool> joined_;
};

}  // namespace viaduct
