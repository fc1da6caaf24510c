#include "gates/baselines.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

namespace viaduct {

Baselines read_baselines(const GateSet& set) {
  Baselines baselines;
  for (const Gate& gate : set.gates) {
    if (gate.kind != GateKind::baseline || baselines.count(gate.baseline) != 0) {
      continue;
    }
    try {
      baselines.emplace(gate.baseline, read_result(gate.baseline));
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("gate '{}': {}", gate.name, error.message()));
    }
  }
  return baselines;
}

}  // namespace viaduct
