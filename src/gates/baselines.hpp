#pragma once
// The results that gates of kind baseline compare with.

#include "gates/gate.hpp"
#include "report/result_reader.hpp"

#include <map>
#include <string>

namespace viaduct {

/// By the name of their file.
using Baselines = std::map<std::string, Result>;

/// Reads each file once. Throws Error(usage) with the gate that names a file that cannot be read.
Baselines read_baselines(const GateSet& set);

}  // namespace viaduct
