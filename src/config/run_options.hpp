#pragma once
// The words after `viaduct run`, cut into options and names. Knows which options exist, not what
// they mean.

#include <map>
#include <string>
#include <vector>

namespace viaduct {

/// Keys are the long names without dashes ("minbytes"); flags have the value "true".
struct RunOptions {
  std::map<std::string, std::string> values;
  std::vector<std::string> paths;  ///< each --path
  std::vector<std::string> names;  ///< words that are no options: a plan or collectives
  bool help_wanted = false;
  std::string help;

  [[nodiscard]] bool has(const std::string& key) const { return values.contains(key); }
};

/// Throws Error(usage) for an unknown option (nearest shown) and for one without its value.
RunOptions read_run_options(const std::vector<std::string>& words);

/// "-b" or "--time": the shortest way to write the option of that key, for messages.
std::string option_name(const std::string& key);

}  // namespace viaduct
