#pragma once
// What one launcher is to the front: a name and a function from request to line. A new launcher is
// one file and one word in CMakeLists.txt.

#include "launch/launch_line.hpp"
#include "launch/placement.hpp"

#include <vector>

namespace viaduct {

struct Launcher {
  const char* name;
  bool LaunchFacts::*is_found;
  /// Hosts that it uses without a hosts file; 0: not known.
  int (*hosts)(const LaunchFacts& facts);
  /// Program and run words are added by the front, and so are the variables of the request.
  LaunchLine (*make)(const LaunchRequest& request,
                     const LaunchFacts& facts,
                     const Placement& placement);
};

namespace launchers {

/// Every launcher, in the order of the list in CMakeLists.txt.
const std::vector<const Launcher*>& all();

}  // namespace launchers

}  // namespace viaduct
