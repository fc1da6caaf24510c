#include "app/session_plan.hpp"

#include "collectives/collective.hpp"
#include "core/copy_operation.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace viaduct {

namespace {

Layout layout_of(const Case& c, int ranks, Method method) {
  if (find_copy_operation(c.operation) != nullptr) {
    Layout layout;
    layout.size_bytes = c.size_bytes;
    layout.count = c.size_bytes;
    return layout;
  }
  return collectives::get(c.operation)
      .layout(LayoutRequest{.size_bytes = c.size_bytes,
                            .element_bytes = element_bytes(c.datatype),
                            .ranks = ranks,
                            .method = method,
                            .traffic = &c.traffic,
                            .window = c.window});
}

/// The case as each group rounds its size.
std::vector<Case> in_groups(const Case& c, const GroupMap& groups, Method method) {
  std::vector<Case> actual(groups.count(), c);
  for (std::size_t group = 0; group < groups.count(); ++group) {
    actual[group].size_bytes = layout_of(c, groups.size_of(group), method).size_bytes;
  }
  return actual;
}

/// Sizes that round to the same counts (4 B and 0 B gathered from two ranks, say) are one case,
/// measured once.
std::vector<Case> without_repeats(const std::vector<Case>& cases,
                                  const GroupMap& groups,
                                  Method method) {
  std::vector<std::vector<Case>> rounded;
  std::vector<Case> kept;
  for (const Case& c : cases) {
    const std::vector<Case> actual = in_groups(c, groups, method);
    if (std::find(rounded.begin(), rounded.end(), actual) == rounded.end()) {
      rounded.push_back(actual);
      kept.push_back(c);
    }
  }
  return kept;
}

bool needs_network(const SessionFrame& frame) {
  return frame.spans_hosts ||
         std::any_of(frame.paths.begin(), frame.paths.end(), [](const PathSpec& path) {
           const auto must = path.must.find("same_host");
           return must != path.must.end() && must->second.rfind("NET", 0) == 0;
         });
}

}  // namespace

std::string result_name(const RunConfig& config) {
  if (!config.out_name.empty()) {
    return config.out_name;
  }
  const std::string what = config.plan_name.empty() ? "run" : config.plan_name;
  return fmt::format("{}-{:%Y%m%d-%H%M%S}", what, fmt::gmtime(std::time(nullptr)));
}

std::vector<Case> cases_to_probe(const std::vector<Case>& cases) {
  constexpr std::size_t most = 400;
  std::vector<Case> probed;
  for (Case c : cases) {
    // Plain launches: what is chosen does not depend on how operations are timed.
    c.mode = Mode::stream;
    if (std::find(probed.begin(), probed.end(), c) == probed.end()) {
      probed.push_back(c);
    }
    if (probed.size() > most) {
      return {};
    }
  }
  return probed;
}

OperationTraits traits_of(const std::string& operation) {
  if (const CopyOperation* copy = find_copy_operation(operation)) {
    return OperationTraits{.has_size = copy->has_size, .copy = copy};
  }
  const Collective& collective = collectives::get(operation);
  return OperationTraits{.reduces = collective.reduces,
                         .has_root = collective.has_root,
                         .has_size = collective.has_size,
                         .has_traffic = collective.has_traffic,
                         .is_pairwise = collective.is_pairwise,
                         .default_window = collective.default_window,
                         .shows_distribution = collective.shows_distribution};
}

namespace {

/// What was asked for by number and fits no communicator of this launch is a mistake, not a case
/// that cannot run here.
void expect_fitting(const std::vector<Case>& cases, const GroupMap& groups) {
  const int ranks = groups.largest();
  for (const Case& c : cases) {
    if (traits_of(c.operation).has_root && c.root >= ranks) {
      throw Error(
          ErrorKind::usage,
          fmt::format(
              "root {} is none of {} ranks; write 0 to {}, or all", c.root, ranks, ranks - 1));
    }
    const std::size_t weights = c.traffic.weights.size();
    const bool fits = std::any_of(
        groups.groups().begin(), groups.groups().end(), [weights](const RankGroup& group) {
          return weights == group.ranks.size() * group.ranks.size();
        });
    if (weights != 0 && !fits) {
      throw Error(ErrorKind::usage,
                  fmt::format("traffic {} has {} weights; {} ranks need {} x {}",
                              c.traffic.name,
                              weights,
                              ranks,
                              ranks,
                              ranks));
    }
  }
}

}  // namespace

namespace {

/// With one GPU a matrix between two is empty.
void expect_ends(const RunConfig& config, const SessionFrame& frame) {
  if (frame.engine != Engine::copy) {
    return;
  }
  for (const CaseBlock& block : for_engine(config, Engine::copy).blocks) {
    for (const std::string& operation : block.operations) {
      const CopyOperation* copy = find_copy_operation(operation);
      if (copy != nullptr && !copy_ends(*copy, frame.gpus).empty()) {
        return;
      }
    }
  }
  throw Error(ErrorKind::refused,
              fmt::format("the operations asked for need two GPUs, and no host shows more than {}; "
                          "under Slurm start it with --gpus-per-node=N --gpu-bind=none",
                          frame.gpus));
}

}  // namespace

SessionPlan make_session_plan(const RunConfig& config, const SessionFrame& frame) {
  expect_ends(config, frame);
  SessionPlan plan;
  plan.paths = frame.paths;
  const std::vector<Case> cases =
      expand_cases(config,
                   ExpandRules{.engine = frame.engine,
                               .any_lane_uses_network = needs_network(frame),
                               .ranks = frame.groups.largest(),
                               .gpus = frame.gpus},
                   &traits_of);
  expect_fitting(cases, frame.groups);
  plan.cases = without_repeats(cases, frame.groups, config.method);
  plan.groups = frame.groups;
  MeasureOptions& options = plan.options;
  options.method = config.method;
  options.lanes = frame.lanes;
  options.reopen = frame.engine == Engine::mpi ? 1 : config.reopen;
  options.cap_s = config.cap_s;
  options.fixed_operations = config.fixed_operations;
  options.graph_replays = config.graph_replays;
  options.checked_batches = config.checked_batches;
  // nccl-tests takes its buffers from ncclMemAlloc.
  const bool is_plain = config.buffers == BufferKind::plain;
  options.buffers.kind =
      config.method == Method::nccl_tests && is_plain ? BufferKind::nccl : config.buffers;
  options.buffers.offset_bytes = config.offset_bytes;
  options.max_slots = config.slots.value_or(options.max_slots);
  options.buffers.shares_window = config.slots == 1U;
  options.seed = config.seed;
  options.keep_samples = config.keep_samples;
  options.warmup_operations = config.warmup_operations;
  for (const Case& c : plan.cases) {
    options.max_bytes = std::max(options.max_bytes, c.size_bytes);
  }
  return plan;
}

CaseDescription known_description(const Case& c, int ranks, Method method) {
  const Collective& collective = collectives::get(c.operation);
  const Layout layout = layout_of(c, ranks, method);
  CaseDescription known;
  known.size_bytes = layout.size_bytes;
  known.count = layout.count;
  known.reduces = collective.reduces;
  known.has_root = collective.has_root;
  known.has_traffic = collective.has_traffic;
  known.is_pairwise = collective.is_pairwise;
  return known;
}

std::vector<Measurement> lost_measurements(const Case& c,
                                           const PathSpec& path,
                                           const GroupMap& groups,
                                           Method method,
                                           const std::string& reason) {
  const Collective& collective = collectives::get(c.operation);
  std::vector<Measurement> all;
  for (std::size_t group = 0; group < groups.count(); ++group) {
    if (groups.is_idle(group)) {
      continue;
    }
    const Layout layout = layout_of(c, groups.size_of(group), method);
    Measurement& lost = all.emplace_back();
    lost.path = path.name;
    lost.engine = path.engine;
    lost.c = c;
    lost.c.size_bytes = layout.size_bytes;
    lost.c.traffic = Traffic{.name = collective.has_traffic ? c.traffic.name : ""};
    lost.count = layout.count;
    lost.reduces = collective.reduces;
    lost.has_root = collective.has_root;
    lost.ranks = groups.size_of(group);
    lost.group = groups.label(group);
    const std::vector<int>& members = groups.groups()[group].ranks;
    if (collective.is_pairwise && members.size() == 2) {
      const std::size_t first = collective.has_root && c.root == 1 ? 1 : 0;
      lost.from = members[first];
      lost.to = members[1 - first];
    }
    lost.method = method;
    lost.status = Status::lost;
    lost.reason = reason;
    lost.lanes = "together";
  }
  return all;
}

}  // namespace viaduct
