#include "topology/collective_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>

namespace viaduct {
namespace {

/// Bus bandwidth per rate out of a part, with its formula.
struct PartFactor {
  double value = 1;
  std::string formula;  ///< empty: 1
};

using FactorOf = std::function<PartFactor(const LimitPart&)>;

double as_double(std::size_t count) {
  return static_cast<double>(count);
}

std::string upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) {
    return static_cast<char>(std::toupper(letter));
  });
  return text;
}

PartFactor twice_the_others(std::size_t ranks) {
  const double value = 2 * (as_double(ranks) - 1) / as_double(ranks);
  return {value, ranks == 2 ? "" : fmt::format("2(n-1)/n = {:.4g}", value)};
}

/// The lowest of some bounds; unknown as soon as one is.
class LowestLimit {
 public:
  void add(const RateLimit& limit) {
    if (!is_known_) {
      return;
    }
    if (!limit.gbs) {
      is_known_ = false;
      lowest_ = limit;
    } else if (!lowest_.gbs || *limit.gbs < *lowest_.gbs) {
      lowest_ = limit;
    }
  }

  void add_all(const PartLevel& level, const FactorOf& factor_of) {
    for (const LimitPart& part : level) {
      const PartFactor factor = factor_of(part);
      const std::string times = factor.formula.empty() ? "" : factor.formula + " x ";
      add(part.out.gbs ? RateLimit{*part.out.gbs * factor.value,
                                   fmt::format("{}{}: {}", times, part.name, part.out.formula)}
                       : part.out);
    }
  }

  [[nodiscard]] RateLimit limit() const { return lowest_; }

 private:
  RateLimit lowest_;
  bool is_known_ = true;
};

PartFactor one(const LimitPart& /*part*/) {
  return {};
}

/// 2(k-1)S must leave k parts together.
RateLimit together_limit(const PartLevel& level, std::size_t ranks) {
  double sum = 0;
  for (const LimitPart& part : level) {
    if (!part.out.gbs) {
      return part.out;
    }
    sum += *part.out.gbs;
  }
  const double parts = as_double(level.size());
  const double factor = (as_double(ranks) - 1) / as_double(ranks) / (parts - 1);
  return RateLimit{sum * factor,
                   fmt::format("(n-1)/(n(k-1)) = {:.4g} x {} parts as {}: {}",
                               factor,
                               level.size(),
                               level.front().name,
                               level.front().out.formula)};
}

void add_all_reduce_without_ring(LowestLimit& lowest, const PartLevel& level, std::size_t ranks) {
  lowest.add_all(level, [ranks](const LimitPart&) { return twice_the_others(ranks); });
  lowest.add(together_limit(level, ranks));
}

RateLimit over_all_levels(const CollectiveRun& run, const FactorOf& factor_of) {
  LowestLimit lowest;
  for (const PartLevel& level : limit_parts(run.seats, run.ways)) {
    lowest.add_all(level, factor_of);
  }
  return lowest.limit();
}

RateLimit tree_all_reduce(const CollectiveRun& run) {
  LowestLimit lowest;
  for (const PartLevel& level : limit_parts(run.seats, run.ways)) {
    add_all_reduce_without_ring(lowest, level, run.seats.size());
  }
  return lowest.limit();
}

bool is_one_host(const CollectiveRun& run) {
  return by_host(run.seats).size() == 1;
}

/// Some NVLink is known to lead to something else.
bool lack_a_switch(const std::vector<RankSeat>& seats) {
  return std::any_of(seats.begin(), seats.end(), [](const RankSeat& seat) {
    if (seat.topology == nullptr || !seat.gpu || *seat.gpu >= seat.topology->gpus.size()) {
      return false;
    }
    const auto& links = seat.topology->gpus[*seat.gpu].nvlinks;
    return std::any_of(links.begin(), links.end(), [](const NvLink& link) {
      return link.is_up.value_or(false) && !link.remote.empty() && link.remote != "switch";
    });
  });
}

RateLimit switch_limit(const CollectiveRun& run) {
  if (!is_one_host(run)) {
    return unknown_limit("NVLS over several hosts has no limit that is known");
  }
  if (lack_a_switch(run.seats)) {
    return unknown_limit("no NVSwitch joins the GPUs");
  }
  const std::size_t ranks = run.seats.size();
  const bool reduces_to_all = run.operation == "all_reduce";
  LowestLimit lowest;
  lowest.add_all(nvlink_parts(run.seats), [ranks, reduces_to_all](const LimitPart&) {
    return reduces_to_all ? twice_the_others(ranks) : PartFactor{};
  });
  return lowest.limit();
}

/// Switches inside the hosts, a tree over their NICs.
RateLimit switch_tree_limit(const CollectiveRun& run) {
  if (is_one_host(run)) {
    return switch_limit(run);
  }
  const std::size_t ranks = run.seats.size();
  LowestLimit lowest;
  lowest.add_all(nvlink_parts(run.seats),
                 [ranks](const LimitPart&) { return twice_the_others(ranks); });
  add_all_reduce_without_ring(lowest, limit_parts(run.seats, run.ways).back(), ranks);
  return lowest.limit();
}

/// All others' shares into the part, or the part's out of it.
RateLimit gathering_limit(const CollectiveRun& run) {
  const double n = as_double(run.seats.size());
  return over_all_levels(run, [n](const LimitPart& part) {
    const double m = as_double(part.ranks.size());
    const double value = (n - 1) / (n - m);
    return PartFactor{value, m > 1 ? fmt::format("(n-1)/(n-m) = {:.4g}", value) : ""};
  });
}

RateLimit with_algorithm(const CollectiveRun& run) {
  const std::string algorithm = upper_case(run.algorithm);
  const bool gathers = run.operation == "all_gather" || run.operation == "reduce_scatter";
  const bool is_all_reduce = run.operation == "all_reduce";
  if (algorithm.empty()) {
    return unknown_limit("the algorithm is not known");
  }
  if (algorithm == "RING") {
    return over_all_levels(run, one);
  }
  if (algorithm == "TREE" && is_all_reduce) {
    return tree_all_reduce(run);
  }
  if (algorithm == "PAT" && gathers) {
    return gathering_limit(run);
  }
  if (algorithm == "NVLS" && (is_all_reduce || gathers)) {
    return switch_limit(run);
  }
  if (algorithm == "NVLS_TREE" && is_all_reduce) {
    return switch_tree_limit(run);
  }
  return unknown_limit(fmt::format("no limit is known for algorithm {}", run.algorithm));
}

RateLimit alltoall_limit(const CollectiveRun& run) {
  const double n = as_double(run.seats.size());
  LowestLimit lowest;
  for (const PartLevel& level : limit_parts(run.seats, run.ways)) {
    lowest.add_all(level, [n](const LimitPart& part) {
      const double m = as_double(part.ranks.size());
      const double value = (n - 1) / (m * (n - m));
      return PartFactor{value, m > 1 ? fmt::format("(n-1)/(m(n-m)) = {:.4g}", value) : ""};
    });
  }
  return lowest.limit();
}

RateLimit root_limit(const CollectiveRun& run) {
  const double n = as_double(run.seats.size());
  const auto root = static_cast<std::size_t>(std::max(run.root, 0));
  return over_all_levels(run, [n, root](const LimitPart& part) {
    const double m = as_double(part.ranks.size());
    const bool is_root = std::count(part.ranks.begin(), part.ranks.end(), root) > 0;
    const double value = (n - 1) / (is_root ? n - m : m);
    return PartFactor{
        value,
        value == 1 ? "" : fmt::format("{} = {:.4g}", is_root ? "(n-1)/(n-m)" : "(n-1)/m", value)};
  });
}

/// Blocks of alltoallv and the partners of hypercube say how much a rank sends, not to whom: only
/// GPUs of one host are bound.
RateLimit per_rank_limit(const CollectiveRun& run) {
  if (!is_one_host(run)) {
    return unknown_limit("no limit is known for this operation over several hosts");
  }
  LowestLimit lowest;
  lowest.add_all(limit_parts(run.seats, run.ways).front(), one);
  return lowest.limit();
}

RateLimit ring_of_pairs_limit(const CollectiveRun& run) {
  LowestLimit lowest;
  const std::size_t ranks = run.seats.size();
  for (std::size_t at = 0; at < ranks; ++at) {
    const RankSeat& from = run.seats[at];
    const RankSeat& to = run.seats[(at + 1) % ranks];
    const RateLimit pair =
        pair_limit(from, to, share_host(from, to) ? run.ways.inside : run.ways.between);
    lowest.add(pair.gbs
                   ? RateLimit{pair.gbs,
                               fmt::format("rank {} to {}: {}", at, (at + 1) % ranks, pair.formula)}
                   : pair);
  }
  return lowest.limit();
}

RateLimit without_algorithm(const CollectiveRun& run) {
  if (!run.algorithm.empty()) {
    return unknown_limit(fmt::format("no limit is known for algorithm {}", run.algorithm));
  }
  if (run.operation == "alltoall") {
    return alltoall_limit(run);
  }
  if (run.operation == "gather" || run.operation == "scatter") {
    return root_limit(run);
  }
  if (run.operation == "alltoallv" || run.operation == "hypercube") {
    return per_rank_limit(run);
  }
  if (run.operation == "sendrecv") {
    return ring_of_pairs_limit(run);
  }
  return unknown_limit(fmt::format("no limit is known for {}", run.operation));
}

}  // namespace

RateLimit collective_limit(const CollectiveRun& run) {
  if (run.seats.size() < 2) {
    return unknown_limit("one rank alone has no link");
  }
  for (const char* operation :
       {"all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce"}) {
    if (run.operation == operation) {
      return with_algorithm(run);
    }
  }
  return without_algorithm(run);
}

}  // namespace viaduct
