#pragma once
// What NCCL makes of NCCL_P2P_DISABLE and NCCL_P2P_LEVEL, and the line that confirms it. Knows no
// machine: without a level NCCL chooses one by the CPU.

#include <optional>
#include <string>
#include <vector>

namespace viaduct {

/// From "LOC" (no P2P at all) to "SYS" (everywhere in a host), as NCCL writes them.
const std::vector<std::string>& p2p_level_names();

struct EffectiveLevel {
  std::string level;         ///< one of p2p_level_names(); empty: NCCL's default
  std::string confirmation;  ///< what the log of NCCL 2.23 and newer then says; empty: nothing

  friend bool operator==(const EffectiveLevel&, const EffectiveLevel&) = default;
};

/// Nothing for a variable that is not set. A value that NCCL ignores in silence is ignored here.
EffectiveLevel effective_p2p_level(const std::optional<std::string>& disable,
                                   const std::optional<std::string>& level);

}  // namespace viaduct
