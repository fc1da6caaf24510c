#pragma once
// Whether NCCL took the variables of a path as the path asked for: its "set by environment" lines
// against PathSpec::set. Pure.

#include "core/path_spec.hpp"
#include "paths/nccl_log.hpp"

#include <string>
#include <vector>

namespace viaduct {

/// One sentence for each variable that some process took otherwise (a settings file, a wrapper or a
/// plugin changed it), or that NCCL did not confirm although it prints the line whenever it takes
/// the variable. It does so at each start for
///
///   NCCL_ALGO, NCCL_PROTO, NCCL_NVLS_ENABLE   from 2.18 on
///   NCCL_P2P_DISABLE, NCCL_P2P_LEVEL          from 2.23 on, where a host has two ranks or more
///
/// Other variables are read when something needs them (NCCL_NET_GDR_LEVEL: a NIC), so no line of
/// them says nothing. `log`: of all the path's workers since they started.
std::vector<std::string> variable_notes(const PathSpec& path, const NcclLog& log);

}  // namespace viaduct
