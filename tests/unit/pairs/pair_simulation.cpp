#include "unit/pairs/pair_simulation.hpp"

#include "pairs/candidates.hpp"
#include "pairs/finding.hpp"

#include <cmath>
#include <utility>

namespace viaduct {

namespace {

const char* flow_word(Flow flow) {
  return flow == Flow::both ? "both" : flow == Flow::sending ? "sending" : "receiving";
}

}  // namespace

Finding slow_host(int host, Flow flow) {
  Finding finding;
  finding.kind = FindingKind::host;
  finding.flow = flow;
  finding.host = host;
  return finding;
}

Finding slow_rank(const HostLayout& layout, int rank, Flow flow, bool inside) {
  Finding finding;
  finding.kind = FindingKind::rank;
  finding.flow = flow;
  finding.inside = inside;
  finding.rank = rank;
  finding.host = layout.host_of(rank);
  return finding;
}

Finding slow_link(const HostLayout& layout, int rank, int other, Flow flow) {
  Finding finding;
  finding.kind = FindingKind::link;
  finding.flow = flow;
  finding.inside = layout.is_one_host(rank, other);
  finding.rank = rank;
  finding.to_rank = other;
  finding.host = layout.host_of(rank);
  finding.to_host = layout.host_of(other);
  return finding;
}

Finding slow_host_link(int host, int other) {
  Finding finding;
  finding.kind = FindingKind::host_link;
  finding.host = host;
  finding.to_host = other;
  return finding;
}

SimulatedCluster::SimulatedCluster(HostLayout layout, const SimulatedNoise& noise, unsigned seed)
    : layout_(std::move(layout)),
      noise_(noise),
      random_(seed) {
  for (int rank = 0; rank < layout_.ranks(); ++rank) {
    of_rank_.push_back(noise_.rank * normal_(random_));
  }
}

double SimulatedCluster::measure_one(int from, int to, double round_noise) {
  const bool inside = layout_.is_one_host(from, to);
  const bool same_rail = layout_.seat_of(from) == layout_.seat_of(to);
  double value = inside ? 380 : same_rail ? 48 : 44;
  double noise = round_noise + noise_.sample * normal_(random_) +
                 of_rank_[static_cast<std::size_t>(from)] + of_rank_[static_cast<std::size_t>(to)];
  if (std::uniform_real_distribution<double>()(random_) < noise_.spike_chance) {
    noise += std::exponential_distribution<double>(1 / noise_.spike_mean)(random_);
  }
  PairCell cell;
  cell.from = from;
  cell.to = to;
  for (const PlantedFault& fault : faults_) {
    value *= is_explained_by(fault.who, cell, layout_) ? fault.factor : 1;
  }
  return value * std::exp(-noise);
}

void SimulatedCluster::measure(const PairRound& round, PairSeries& series) {
  const double round_noise = noise_.round * normal_(random_);
  for (const RankPair& pair : round.pairs) {
    const bool same_rail = layout_.seat_of(pair.first) == layout_.seat_of(pair.second);
    const char* label = layout_.is_one_host(pair.first, pair.second) ? "one host"
                        : same_rail                                  ? "other host, same rail"
                                                                     : "other host, other rail";
    for (const auto& [from, to] :
         {std::pair(pair.first, pair.second), std::pair(pair.second, pair.first)}) {
      series.add(from, to, label, measure_one(from, to, round_noise), round.is_alone());
    }
  }
}

SimulatedRun run_pairs(SimulatedCluster& cluster, const PairPlanOptions& options, double round_s) {
  SimulatedRun run;
  PairPlan plan(cluster.layout(), options);
  for (double elapsed_s = 0;; elapsed_s += round_s) {
    if (plan.wants_suspects(elapsed_s)) {
      plan.set_suspects(analyze_pairs(run.series, cluster.layout(), suspect_options()).findings);
    }
    const std::optional<PairRound> round = plan.next_round(elapsed_s);
    if (!round) {
      break;
    }
    cluster.measure(*round, run.series);
  }
  run.coverage = plan.coverage();
  run.analysis = analyze_pairs(run.series, cluster.layout());
  return run;
}

std::vector<std::string> names_of(const std::vector<Finding>& findings, const HostLayout& layout) {
  std::vector<std::string> names;
  for (const Finding& one : findings) {
    names.push_back(subject_text(one, layout) + (one.inside ? " inside " : " ") +
                    flow_word(one.flow));
  }
  return names;
}

HostLayout block_layout(int hosts, int ranks_each) {
  std::vector<int> host_of;
  for (int rank = 0; rank < hosts * ranks_each; ++rank) {
    host_of.push_back(rank / ranks_each);
  }
  return HostLayout::of_hosts(host_of);
}

}  // namespace viaduct
