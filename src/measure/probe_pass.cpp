#include "measure/probe_pass.hpp"

#include "measure/case_setup.hpp"
#include "measure/lane_set.hpp"

namespace viaduct {

namespace {

/// Beyond every step of the session, so that an alarm left over from here means none of its steps.
constexpr std::uint64_t first_step = std::uint64_t{1} << 40U;

/// One operation on one buffer, and nothing compared.
MeasureOptions probe_options(const MeasureOptions& options) {
  MeasureOptions probe = options;
  probe.max_slots = 1;
  probe.checked_batches = 0;
  return probe;
}

void probe_paths(Steps& steps,
                 const std::vector<PathSpec>& paths,
                 const SessionPlan& plan,
                 const SessionHooks& hooks,
                 const ProbeSetting& setting) {
  const MeasureOptions options = probe_options(plan.options);
  const GroupMap groups = groups_of(plan, steps.control().size());
  SessionHooks own;
  own.make_lane = hooks.make_lane;
  own.place = hooks.place;
  LaneSet lanes(steps, paths);
  lanes.bring_up({.hooks = own,
                  .options = options,
                  .groups = groups,
                  .is_first = false,
                  .cpus = setting.cpus});
  CaseSetup setup(steps, lanes, groups, options);
  for (std::size_t number = 0; number < plan.cases.size(); ++number) {
    std::vector<LaneResult> results(lanes.size(), LaneResult(groups.count()));
    const std::vector<std::size_t> opened = setup.open(plan.cases[number], results);
    setting.after(number);
    setup.close(opened, results);
  }
  lanes.quit();
}

}  // namespace

void run_probe_pass(Control& control,
                    const SessionPlan& plan,
                    const SessionHooks& hooks,
                    const ProbeSetting& setting) {
  Steps steps(control,
              {.grace_s = plan.options.abandon_grace_s,
               .control_s = plan.options.control_deadline_s,
               .host = hooks.place.host,
               .first_step = first_step});
  if (plan.options.lanes == LanesMode::together) {
    probe_paths(steps, plan.paths, plan, hooks, setting);
    return;
  }
  for (const PathSpec& path : plan.paths) {
    probe_paths(steps, {path}, plan, hooks, setting);
  }
}

}  // namespace viaduct
