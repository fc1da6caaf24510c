#pragma once
// The commands of `viaduct`: each takes its words and returns the exit code, or throws Error.

#include <string>
#include <vector>

namespace viaduct {

int run_command(const std::vector<std::string>& words);
int launch_command(const std::vector<std::string>& words);
int report_command(const std::vector<std::string>& words);
int list_command(const std::vector<std::string>& words);

}  // namespace viaduct
