#pragma once
// Whose mpirun is in PATH, and of which major version. Knows no launch line.

#include <string>
#include <string_view>

namespace viaduct {

/// What `mpirun --version` prints; empty when it does not end within 10 s or prints nothing.
std::string mpirun_version_text();

/// Major version of Open MPI in such a text. 0: another MPI's; 4 for an empty text, because both
/// versions read its words.
int open_mpi_major(std::string_view version_text);

}  // namespace viaduct
