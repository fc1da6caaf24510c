#pragma once
// The cores that this process may run on, as text. Knows no MPI.

#include <string>

namespace viaduct {

/// "0-3,8"; empty when the kernel does not say.
std::string own_cpu_list();

}  // namespace viaduct
