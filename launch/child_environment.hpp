#pragma once
// The environment of a launch: what this process has, with a line's additions and without what it
// unsets. Pure.

#include "launch/launch_line.hpp"

#include <string>
#include <vector>

namespace viaduct {

/// Entries "NAME=value". `inherited` as in environ; an added variable replaces an inherited one.
std::vector<std::string> child_environment(const char* const* inherited, const LaunchLine& line);

}  // namespace viaduct
