#pragma once
// A cluster that is made up: what a measurement of a pair gives, with noise and planted faults.

#include "pairs/analysis.hpp"
#include "pairs/finding.hpp"
#include "pairs/host_layout.hpp"
#include "pairs/pair_series.hpp"
#include "pairs/plan.hpp"

#include <random>
#include <string>
#include <vector>

namespace viaduct {

/// All as logarithms of the value; a spike makes a single measurement slower.
struct SimulatedNoise {
  double sample = 0.02;  ///< of each measurement, normal
  double rank = 0.01;    ///< of each rank for good, normal
  double round = 0.005;  ///< of all measurements of a round, normal
  double spike_chance = 0.003;
  double spike_mean = 0.3;  ///< exponential
};

/// Multiplies the GB/s of what the finding names.
struct PlantedFault {
  Finding who;
  double factor = 0.5;
};

Finding slow_host(int host, Flow flow = Flow::both);
Finding slow_rank(const HostLayout& layout, int rank, Flow flow, bool inside);
Finding slow_link(const HostLayout& layout, int rank, int other, Flow flow = Flow::both);
Finding slow_host_link(int host, int other);

class SimulatedCluster {
 public:
  SimulatedCluster(HostLayout layout, const SimulatedNoise& noise, unsigned seed);

  void plant(const PlantedFault& fault) { faults_.push_back(fault); }

  [[nodiscard]] const HostLayout& layout() const { return layout_; }

  /// Adds both directions of every pair of the round.
  void measure(const PairRound& round, PairSeries& series);

 private:
  double measure_one(int from, int to, double round_noise);

  HostLayout layout_;
  SimulatedNoise noise_;
  std::mt19937 random_;
  std::normal_distribution<double> normal_;
  std::vector<double> of_rank_;
  std::vector<PlantedFault> faults_;
};

struct SimulatedRun {
  PairSeries series;
  PairAnalysis analysis;
  PairCoverage coverage;
};

/// Plan, measurement and analysis as a run has them; every round takes `round_s`.
SimulatedRun run_pairs(SimulatedCluster& cluster, const PairPlanOptions& options, double round_s);

/// "slow host host3 both" of each finding, in their order.
std::vector<std::string> names_of(const std::vector<Finding>& findings, const HostLayout& layout);

/// Ranks of equal hosts, by host.
HostLayout block_layout(int hosts, int ranks_each);

}  // namespace viaduct
