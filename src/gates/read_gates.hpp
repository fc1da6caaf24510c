#pragma once
// Gates from JSON: a file, a name of configs/gates/, or the key "gates" of a plan. Every complaint
// names file, JSON pointer and what is allowed.

#include "gates/gate.hpp"
#include "paths/json_place.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

/// An object {"gates": [...], ...} or only the list. Files of baselines are taken relative to the
/// folder of the place's origin. Throws Error(usage).
GateSet read_gates(const JsonPlace& place);

/// Throws Error(usage). `origin` is the file name for messages.
GateSet parse_gates(std::string_view json_text, const std::string& origin);

/// A file, or the name of an embedded set ("sound"). Throws Error(usage) with the known names.
GateSet load_gates(const std::string& file_or_name);

struct GateSetEntry {
  std::string name;
  std::string summary;
};

std::vector<GateSetEntry> embedded_gate_sets();

}  // namespace viaduct
