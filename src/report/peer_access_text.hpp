#pragma once
// Peer access between the GPUs of each host as text, before the numbers of the copy engine, and
// what its copies say about it.

#include "report/result_reader.hpp"

#include <string>
#include <vector>

namespace viaduct {

/// A matrix for each host, rows the GPU that would access; empty where nothing is known.
std::string peer_access_text(const Manifest& manifest);

/// Pairs of GPUs of which CUDA says that one can access the other, while the largest copy between
/// them with peer access is not faster than the one that the driver stages: one sentence for each.
std::vector<std::string> useless_peer_access(const Result& result);

}  // namespace viaduct
