#pragma once
// How much each rank sends to each other one in an operation with unequal blocks (alltoallv):
// relative weights, scaled to the size of the case by the collective.

#include <string>
#include <vector>

namespace viaduct {

struct Traffic {
  std::string name = "uniform";  ///< uniform, skewed, or the name of the file the weights are from
  /// ranks x ranks, row by row: entry (i, j) is what rank i sends to rank j. Finite and not
  /// negative. Empty for uniform and skewed, which hold for any number of ranks.
  std::vector<double> weights{};

  friend bool operator==(const Traffic&, const Traffic&) = default;
};

}  // namespace viaduct
