#pragma once
// One host's topology for readers: as text and as JSON, with the best rates of pairs and
// collectives. Pure.

#include "core/host_topology.hpp"
#include "topology/rate_limit.hpp"

#include <string>
#include <vector>

namespace viaduct {

/// One pair of GPUs, by their places.
struct PairView {
  std::size_t a = 0;
  std::size_t b = 0;
  std::string pair_class;
  RateLimit peer;    ///< GPU to GPU
  RateLimit staged;  ///< by way of host memory
};

/// A collective over all GPUs of the host.
struct CollectiveView {
  std::string operation;
  std::string algorithm;  ///< empty: it has no choice
  std::string way;        ///< "peer", "staged"
  RateLimit limit;        ///< of the bus bandwidth
};

std::vector<PairView> pair_views(const HostTopology& topology);
std::vector<CollectiveView> collective_views(const HostTopology& topology);

/// `title`: where it is from.
std::string topology_text(const HostTopology& topology, const std::string& title);

/// One document in one line.
std::string topology_json(const HostTopology& topology);

}  // namespace viaduct
