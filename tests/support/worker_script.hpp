#pragma once
// What a scripted worker is told to do, as text and as values. Does nothing of it itself.
//
// A script is a comma-separated list of steps:
//   ok                          nothing out of the way
//   inspect                     print descriptors, environment, signals and process group to stdout
//   at the start slow-PHASE:500ms            every request of that phase takes so long
//   ACTION@PHASE[:N][%RANK]     at the N-th request of that phase (first is 1, and the default), on
//   that local rank only
// Phases are those of the protocol: hello make_id init describe open batch close, and quit for the
// time after the last reply. Actions: crash segv shm no-gpu hang exit stderr-then-exit wrong
// garbage torn huge twice orphan fail refuse throw throw-odd network warn.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viaduct::test {

struct ScriptStep {
  std::string action;
  std::string phase;
  int occurrence = 1;
  std::optional<int> rank;
  int delay_ms = 0;  ///< of action slow, which holds for every occurrence
};

struct WorkerScript {
  std::vector<ScriptStep> steps;
  bool inspects = false;
};

/// Throws Error(usage) that names the step: a script that is silently not obeyed would make tests
/// that cannot fail.
WorkerScript parse_script(std::string_view text);

}  // namespace viaduct::test
