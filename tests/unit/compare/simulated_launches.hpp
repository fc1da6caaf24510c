#pragma once
// Launches of a sweep that never ran: times with noise within a launch and between launches, from a
// seed.

#include "compare/compared_side.hpp"

#include <cstdint>
#include <random>
#include <vector>

namespace viaduct {

struct NoiseModel {
  double within = 0.004;   ///< of batches of one launch, standard deviation of the logarithm
  double between = 0.01;   ///< of launches of one size
  double common = 0;       ///< of a launch as a whole: the same factor at every size
  double outliers = 0.03;  ///< share of batches that take 10 % to 50 % longer
  std::size_t batches = 24;
};

/// 8 B to 1 GiB by factor 2: 28 sizes. `factors` (index is the size) multiplies times; empty: 1.
ComparedSide simulated_side(std::mt19937_64& engine,
                            const NoiseModel& noise,
                            std::size_t launches,
                            const std::vector<double>& factors = {});

constexpr std::size_t simulated_sizes = 28;

/// 1 everywhere but at one size.
std::vector<double> planted(std::size_t size, double factor);

}  // namespace viaduct
