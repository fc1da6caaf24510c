#pragma once
// What one launcher is to the front: a name and a function from request to line. A new launcher is
// one file and one word in CMakeLists.txt.

#include "launch/hosts_file.hpp"
#include "launch/launch_line.hpp"

#include <string>
#include <vector>

namespace viaduct {

struct Launcher {
  const char* name;
  bool LaunchFacts::*is_found;
  /// `hosts` is empty for this host. Program and run words are added by the front.
  LaunchLine (*make)(const LaunchRequest& request,
                     const LaunchFacts& facts,
                     const std::vector<HostSlots>& hosts);
};

namespace launchers {

/// Every launcher, in the order of the list in CMakeLists.txt.
const std::vector<const Launcher*>& all();

}  // namespace launchers

}  // namespace viaduct
