#include "config/run_config.hpp"
#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace viaduct {

namespace {

/// Above this size a launch costs less than the operation itself, and graph shows the same as
/// stream.
constexpr std::uint64_t largest_graph_default = 1024UL * 1024UL;

using CaseKey = std::tuple<std::string, std::uint64_t, Datatype, ReduceOp, int, Placement, Mode>;

CaseKey key_of(const Case& c) {
  return {c.operation, c.size_bytes, c.datatype, c.reduction, c.root, c.placement, c.mode};
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
  if (config.method == Method::nccl_tests && wants(Mode::each)) {
    throw Error(
        ErrorKind::usage,
        "mode each is not in method nccl-tests, which times a whole loop; use stream or graph");
  }
}

std::vector<Mode> default_modes(std::uint64_t size_bytes,
                                const RunConfig& config,
                                const ModeRules& rules) {
  if (config.graph_replays) {
    return {Mode::graph};
  }
  const bool only_stream = rules.engine == Engine::mpi || config.method == Method::nccl_tests;
  if (only_stream || size_bytes > largest_graph_default) {
    return {Mode::stream};
  }
  return {Mode::graph, Mode::stream};
}

std::vector<Mode> modes_of(const CaseBlock& block,
                           std::uint64_t size_bytes,
                           const RunConfig& config,
                           const ModeRules& rules) {
  std::vector<Mode> modes =
      block.modes.empty() ? default_modes(size_bytes, config, rules) : block.modes;
  if (rules.any_lane_uses_network) {
    std::replace(modes.begin(), modes.end(), Mode::graph, Mode::stream);
  }
  return modes;
}

/// Adds cases in order; one that is there already is left out.
class CaseList {
 public:
  CaseList(const RunConfig& config, const ModeRules& rules) : config_(config), rules_(rules) {}

  void add_block(const CaseBlock& block, bool (*reduces)(const std::string& operation)) {
    expect_possible(block.modes, config_, rules_.engine);
    const std::vector<ReduceOp> one{ReduceOp::sum};
    for (const std::string& operation : block.operations) {
      Case c;
      c.operation = operation;
      c.root = block.root;
      for (const Datatype datatype : block.datatypes) {
        c.datatype = datatype;
        add_reductions(block, reduces(operation) ? block.reductions : one, c);
      }
    }
  }

  [[nodiscard]] std::vector<Case> take() { return std::move(cases_); }

 private:
  void add_reductions(const CaseBlock& block, const std::vector<ReduceOp>& reductions, Case c) {
    for (const ReduceOp reduction : reductions) {
      c.reduction = reduction;
      add_sizes(block, c);
    }
  }

  void add_sizes(const CaseBlock& block, Case c) {
    for (const Placement placement : block.placements) {
      c.placement = placement;
      for (const std::uint64_t size : block.sizes_bytes) {
        c.size_bytes = size;
        add_modes(modes_of(block, size, config_, rules_), c);
      }
    }
  }

  void add_modes(const std::vector<Mode>& modes, Case c) {
    for (const Mode mode : modes) {
      c.mode = mode;
      if (seen_.insert(key_of(c)).second) {
        cases_.push_back(c);
      }
    }
  }

  const RunConfig& config_;
  const ModeRules& rules_;
  std::vector<Case> cases_;
  std::set<CaseKey> seen_;
};

}  // namespace

std::vector<Case> expand_cases(const RunConfig& config,
                               const ModeRules& rules,
                               bool (*reduces)(const std::string& operation)) {
  const RunConfig folded = for_engine(config, rules.engine);
  CaseList list(folded, rules);
  for (const CaseBlock& block : folded.blocks) {
    list.add_block(block, reduces);
  }
  std::vector<Case> cases = list.take();
  if (cases.empty()) {
    throw Error(ErrorKind::usage, "no case to measure; name a collective or a plan");
  }
  return cases;
}

}  // namespace viaduct
