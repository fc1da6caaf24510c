#pragma once
// The best rate that some hardware can reach, with the formula that it comes from. A value only.

#include <optional>
#include <string>
#include <utility>

namespace viaduct {

/// `gbs` in GB/s (10^9 bytes) of one direction; empty: not known, and `formula` says why.
struct RateLimit {
  std::optional<double> gbs{};
  std::string formula{};  ///< "18 links x 26.562 GB/s"; ends without its result
};

inline RateLimit unknown_limit(std::string why) {
  return RateLimit{std::nullopt, std::move(why)};
}

}  // namespace viaduct
