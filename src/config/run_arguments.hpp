#pragma once
// The words after `viaduct run`, read with CLI11 into a RunConfig.

#include "config/run_config.hpp"

#include <string>
#include <vector>

namespace viaduct {

struct RunArguments {
  RunConfig config;
  bool help_wanted = false;
  std::string help;
};

/// `words` without program and "run". Operation names are checked against `known_operations`
/// (nearest shown). Throws Error(usage) in one line: unknown options, sizes that are not sizes, -b
/// above -e, factor 1, step 0, -g/-t above 1, an unknown collective, no case.
RunArguments parse_run_arguments(const std::vector<std::string>& words,
                                 const std::vector<std::string>& known_operations);

}  // namespace viaduct
