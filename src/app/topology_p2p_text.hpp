#pragma once
// What a topology says of P2P, as text: whether the driver allows it, and between which GPUs NCCL
// uses it by default. Pure.

#include "core/host_topology.hpp"

#include <string>
#include <vector>

namespace viaduct {

/// "GPU3".
std::string gpu_label(const HostTopology& topology, std::size_t gpu);

/// "GPU0-GPU3".
std::string pair_label(const HostTopology& topology, std::size_t a, std::size_t b);

/// The first few, and how many more.
std::string some_names(const std::vector<std::string>& names);

/// Empty where nothing is known of any pair.
std::string peer_access_block(const HostTopology& topology);

/// Pairs that are alike in one line; then what a measurement of NCCL's default against P2P off can
/// show on this host. Empty for fewer than two GPUs.
std::string default_p2p_block(const HostTopology& topology);

}  // namespace viaduct
