#pragma once
// The block "Paths" below the tables: which way the bytes of each path took, and how that is known.

#include "report/result_reader.hpp"

#include <string>

namespace viaduct {

/// One line for each path with evidence; empty without any.
std::string paths_block(const Result& result);

/// "log", "counters", "log and counters": what proves the cases of a path; empty: nothing does.
std::string proven_by(const Result& result, const std::string& path);

}  // namespace viaduct
