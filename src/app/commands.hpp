#pragma once
// The commands of `viaduct`: each takes its words and returns the exit code, or throws Error.

#include <string>
#include <vector>

namespace viaduct {

int run_command(const std::vector<std::string>& words);
int launch_command(const std::vector<std::string>& words);
int evidence_command(const std::vector<std::string>& words);
int compare_command(const std::vector<std::string>& words);
int import_command(const std::vector<std::string>& words);
int report_command(const std::vector<std::string>& words);
int check_command(const std::vector<std::string>& words);
int list_command(const std::vector<std::string>& words);
int topology_command(const std::vector<std::string>& words);

/// Of `viaduct list collectives`; verbose: size, factors, datatypes, root, forms and calls of each.
void list_collectives(bool is_verbose);

}  // namespace viaduct
