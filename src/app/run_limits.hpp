#pragma once
// The limit of each record of a run: which ranks sit where, from the manifest; which way and by
// which algorithm, from the record itself. Pure.

#include "core/copy_operation.hpp"
#include "core/manifest.hpp"
#include "core/record.hpp"
#include "topology/limit_parts.hpp"
#include "topology/rate_limit.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace viaduct {

/// The way that the channel lines of a case show ("P2P/CUMEM": 2); empty: no line, or one that fits
/// no limit (NET inside one host, CollNet, a host without lines of its pairs).
std::optional<WayOfRanks> way_of(const std::map<std::string, int>& transports, bool several_hosts);

class RunLimits {
 public:
  /// Keeps the topologies of the manifest; a manifest without any gives no limit.
  explicit RunLimits(const Manifest& manifest);
  RunLimits(const RunLimits&) = delete;
  RunLimits& operator=(const RunLimits&) = delete;

  /// Sets limit_gbs and limit_formula where they are known; else both stay empty.
  void fill(Measurement& measurement);

  /// The same, not kept: with the reason where it is not known.
  [[nodiscard]] RateLimit limit_of(const Measurement& measurement) const;

  /// How near two ranks of the launch are to each other; empty: they are not in the manifest.
  [[nodiscard]] std::string pair_class_of(int from, int to) const;

 private:
  [[nodiscard]] std::vector<RankSeat> seats_of(const Measurement& measurement) const;
  [[nodiscard]] RateLimit limit_of_copy(const Measurement& measurement) const;

  std::vector<FoldedTopology> topologies_;
  std::vector<RankSeat> seats_;              ///< by rank of the launch
  std::vector<std::vector<RankSeat>> gpus_;  ///< copy engine: of each rank, by CUDA index
  std::map<std::string, CopyRoute> routes_;  ///< copy engine: by path
  std::map<std::string, RateLimit> known_;   ///< by all that a limit depends on
};

}  // namespace viaduct
