#pragma once
// What this build is: version, engines built in, and where its other programs lie.

#include <string>

namespace viaduct {

/// "0.1.0"
const char* version();

/// "viaduct 0.1.0 (mpi, nccl)"
std::string version_line();

bool has_mpi();
bool has_nccl();

/// The program of that name beside the one that runs, as a full path. Throws Error(usage) when it
/// is not there, with what that means for this build.
std::string sibling_program(const std::string& name);

}  // namespace viaduct
