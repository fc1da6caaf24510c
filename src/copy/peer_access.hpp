#pragma once
// What CUDA says of peer access between the GPUs that this process sees. Creates no context.

#include "core/peer_access.hpp"

namespace viaduct {

/// Throws Error(refused) when no driver fits, Error(cuda).
PeerAccess read_peer_access();

}  // namespace viaduct
