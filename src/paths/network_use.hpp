#pragma once
// Whether an NCCL log shows a network transport. Only this one question: reading edges is
// evidence's.

#include <string_view>

namespace viaduct {

/// True when a channel line says "via NET/", or a line "via COLLNET/": a proxy then carries the
/// data.
bool shows_network(std::string_view nccl_log);

}  // namespace viaduct
