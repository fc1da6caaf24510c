#pragma once
// What judging a result against one gate came to. The value only; gates and their rules are layer
// gates'.

#include <cstdint>
#include <string>
#include <string_view>

namespace viaduct {

/// unclear: the interval of a measurement lies on both sides of the bound, or something is not
/// known. skipped: every row was skipped or lost, and the gate allows that.
enum class GateState { passed, failed, unclear, skipped };

/// "passed", "failed", "unclear", "skipped".
const char* name(GateState state);

/// Throws Error(usage) with the known words.
GateState parse_gate_state(std::string_view text);

struct GateVerdict {
  std::string name;
  std::string kind;  ///< absolute, limit, baseline, ratio, wrong, evidence, complete
  GateState state = GateState::failed;
  bool fails = true;       ///< failed, or unclear where the gate is strict
  std::string reason;      ///< one sentence: the worst row with its number and the bound
  std::uint64_t rows = 0;  ///< that the gate's filters let through
  std::uint64_t rows_failed = 0;
  std::uint64_t rows_unclear = 0;
  std::uint64_t rows_skipped = 0;  ///< skipped or lost, and allowed

  friend bool operator==(const GateVerdict&, const GateVerdict&) = default;
};

}  // namespace viaduct
