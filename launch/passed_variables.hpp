#pragma once
// Which variables a launcher that keeps them to itself must pass on to ranks on other hosts. Pure.

#include "launch/launch_line.hpp"

#include <string>
#include <vector>

namespace viaduct {

/// NCCL's, the libraries' below it and the loader's, out of `names`. Not CUDA_VISIBLE_DEVICES,
/// which is about one host.
std::vector<std::string> variables_of_the_job(const std::vector<std::string>& names);

struct Export {
  std::string name;
  std::string value{};
  bool has_value = false;  ///< false: as it stands in this environment
};

/// Throws Error(usage): a word that is no name, a name without value that is not set here.
std::vector<Export> parse_exports(const std::vector<std::string>& words, const LaunchFacts& facts);

}  // namespace viaduct
