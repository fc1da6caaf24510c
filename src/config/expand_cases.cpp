#include "config/run_config.hpp"
#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

namespace viaduct {

namespace {

/// Above this size a launch costs less than the operation itself, and graph shows the same as
/// stream.
constexpr std::uint64_t largest_graph_default = 1024UL * 1024UL;

using CaseKey = std::tuple<std::string,
                           std::string,
                           std::vector<double>,
                           std::uint64_t,
                           Datatype,
                           ReduceOp,
                           int,
                           Placement,
                           Mode,
                           int,
                           CopyEnds>;

CaseKey key_of(const Case& c) {
  return {c.operation,
          c.traffic.name,
          c.traffic.weights,
          c.size_bytes,
          c.datatype,
          c.reduction,
          c.root,
          c.placement,
          c.mode,
          c.window,
          c.ends};
}

void expect_possible(const std::vector<Mode>& modes, const RunConfig& config, Engine engine) {
  const auto wants = [&modes](Mode mode) {
    return std::find(modes.begin(), modes.end(), mode) != modes.end();
  };
  if (engine == Engine::mpi && (wants(Mode::graph) || config.graph_replays)) {
    throw Error(
        ErrorKind::usage,
        "mode graph needs engine nccl (a CUDA graph); engine mpi has the modes stream and each");
  }
  if (engine == Engine::copy && (wants(Mode::graph) || config.graph_replays)) {
    throw Error(
        ErrorKind::usage,
        "mode graph is of engine nccl; engine copy has the modes stream and each, and hides "
        "the cost of a launch in both");
  }
  if (engine == Engine::copy && config.method == Method::nccl_tests) {
    throw Error(ErrorKind::usage, "method nccl-tests is of collectives; engine copy has none");
  }
  if (engine == Engine::mpi && config.requires_path) {
    throw Error(
        ErrorKind::usage,
        "--require-path: nothing proves the way of engine mpi, whose library keeps no log of "
        "it; leave --require-path away, or use engine nccl or copy");
  }
  if (engine != Engine::copy && config.method == Method::p2p_sample) {
    throw Error(ErrorKind::usage, "method p2p-sample is of copies between GPUs: engine copy");
  }
  if (config.method == Method::nccl_tests && wants(Mode::each)) {
    throw Error(
        ErrorKind::usage,
        "mode each is not in method nccl-tests, which times a whole loop; use stream or graph");
  }
}

std::vector<Mode> default_modes(std::uint64_t size_bytes,
                                const OperationTraits& traits,
                                const RunConfig& config,
                                const ExpandRules& rules) {
  if (config.graph_replays) {
    return {Mode::graph};
  }
  const bool only_stream = rules.engine != Engine::nccl || config.method == Method::nccl_tests;
  std::vector<Mode> modes{Mode::stream};
  if (!only_stream && size_bytes <= largest_graph_default) {
    modes.insert(modes.begin(), Mode::graph);
  }
  if (traits.shows_distribution && config.method == Method::viaduct) {
    modes.push_back(Mode::each);
  }
  return modes;
}

std::vector<Mode> modes_of(const CaseBlock& block,
                           std::uint64_t size_bytes,
                           const OperationTraits& traits,
                           const RunConfig& config,
                           const ExpandRules& rules) {
  std::vector<Mode> modes =
      block.modes.empty() ? default_modes(size_bytes, traits, config, rules) : block.modes;
  if (rules.any_lane_uses_network) {
    std::replace(modes.begin(), modes.end(), Mode::graph, Mode::stream);
  }
  return modes;
}

/// The lists of one operation: those of the block, folded where they do not matter to it.
struct OperationLists {
  std::vector<Traffic> traffics;
  std::vector<Datatype> datatypes;
  std::vector<ReduceOp> reductions;
  std::vector<int> roots;
  std::vector<Placement> placements;
  std::vector<std::uint64_t> sizes_bytes;
  int window = 0;
  std::vector<CopyEnds> ends{CopyEnds{}};
};

std::vector<int> roots_of(const CaseBlock& block, int ranks) {
  if (!block.roots.empty()) {
    return block.roots;
  }
  std::vector<int> every(static_cast<std::size_t>(ranks));
  std::iota(every.begin(), every.end(), 0);
  return every;
}

std::vector<Datatype> datatypes_of(const CaseBlock& block, const OperationTraits& traits) {
  if (!block.datatypes.empty()) {
    return block.datatypes;
  }
  return {traits.is_pairwise ? Datatype::uint8 : Datatype::float32};
}

OperationLists lists_of(const CaseBlock& block,
                        const OperationTraits& traits,
                        const RunConfig& config,
                        const ExpandRules& rules) {
  OperationLists lists;
  if (traits.copy != nullptr) {
    // Bytes are bytes; what a datatype would add is only a name.
    lists.traffics = {Traffic{}};
    lists.reductions = {ReduceOp::sum};
    lists.roots = {0};
    lists.datatypes = {Datatype::uint8};
    lists.placements = {Placement::out_of_place};
    lists.sizes_bytes = traits.has_size ? block.sizes_bytes : std::vector<std::uint64_t>{0};
    // The sample fills a whole matrix, and its first loop between two GPUs is its slowest.
    const bool is_sample = config.method == Method::p2p_sample;
    const PairOrder order = is_sample ? PairOrder::both : PairOrder::lower_first;
    lists.ends = copy_ends(*traits.copy, rules.gpus, order);
    return lists;
  }
  lists.traffics = traits.has_traffic ? config.traffics : std::vector<Traffic>{Traffic{}};
  lists.reductions = traits.reduces ? block.reductions : std::vector<ReduceOp>{ReduceOp::sum};
  lists.window = traits.default_window > 0 ? config.window.value_or(traits.default_window) : 0;
  lists.roots = traits.has_root ? roots_of(block, rules.ranks) : std::vector<int>{0};
  if (!traits.has_size) {
    lists.datatypes = {Datatype::float32};
    lists.placements = {Placement::out_of_place};
    lists.sizes_bytes = {0};
    return lists;
  }
  lists.datatypes = datatypes_of(block, traits);
  lists.placements = block.placements;
  lists.sizes_bytes = block.sizes_bytes;
  return lists;
}

/// One case for each combination, the last list changing fastest.
std::vector<Case> product(const std::string& operation, const OperationLists& lists) {
  std::vector<Case> cases(1);
  cases[0].operation = operation;
  cases[0].window = lists.window;
  const auto multiply = [&cases](const auto& values, auto Case::*member) {
    std::vector<Case> more;
    more.reserve(cases.size() * values.size());
    for (const Case& c : cases) {
      for (const auto& value : values) {
        more.push_back(c);
        more.back().*member = value;
      }
    }
    cases = std::move(more);
  };
  multiply(lists.traffics, &Case::traffic);
  multiply(lists.datatypes, &Case::datatype);
  multiply(lists.reductions, &Case::reduction);
  multiply(lists.roots, &Case::root);
  multiply(lists.placements, &Case::placement);
  multiply(lists.sizes_bytes, &Case::size_bytes);
  multiply(lists.ends, &Case::ends);
  return cases;
}

/// Adds cases in order; one that is there already is left out.
class CaseList {
 public:
  CaseList(const RunConfig& config, const ExpandRules& rules) : config_(config), rules_(rules) {}

  void add_block(const CaseBlock& block, OperationTraits (*traits)(const std::string&)) {
    expect_possible(block.modes, config_, rules_.engine);
    for (const std::string& operation : block.operations) {
      const OperationTraits known = traits(operation);
      const OperationLists lists = lists_of(block, known, config_, rules_);
      for (Case& c : product(operation, lists)) {
        add_modes(modes_of(block, c.size_bytes, known, config_, rules_), c);
      }
    }
  }

  [[nodiscard]] std::vector<Case> take() { return std::move(cases_); }

 private:
  void add_modes(const std::vector<Mode>& modes, Case& c) {
    for (const Mode mode : modes) {
      c.mode = mode;
      if (seen_.insert(key_of(c)).second) {
        cases_.push_back(c);
      }
    }
  }

  const RunConfig& config_;
  const ExpandRules& rules_;
  std::vector<Case> cases_;
  std::set<CaseKey> seen_;
};

}  // namespace

std::vector<Case> expand_cases(const RunConfig& config,
                               const ExpandRules& rules,
                               OperationTraits (*traits)(const std::string& operation)) {
  const RunConfig folded = for_engine(config, rules.engine);
  CaseList list(folded, rules);
  for (const CaseBlock& block : folded.blocks) {
    list.add_block(block, traits);
  }
  std::vector<Case> cases = list.take();
  if (cases.empty()) {
    throw Error(ErrorKind::usage, "no case to measure; name a collective or a plan");
  }
  return cases;
}

}  // namespace viaduct
