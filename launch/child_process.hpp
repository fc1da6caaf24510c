#pragma once
// Runs one launch line: passes signals on, has a time limit, returns the exit code.

#include "launch/death_guard.hpp"
#include "launch/launch_line.hpp"

namespace viaduct {

struct ChildOutcome {
  int exit_code = 0;  ///< 128 + s after signal s
  bool timed_out = false;
  int passed_signal = 0;  ///< a signal that this process got and passed on; 0: none
};

/// How long a child may take to end. The defaults are those of the programs; tests take shorter
/// ones.
struct ChildLimits {
  double limit_s = 0;           ///< 0: none
  double grace_s = 10;          ///< from SIGTERM to SIGKILL
  double killed_s = 10;         ///< from SIGKILL until the child is given up (a process in D state)
  DeathGuard* guard = nullptr;  ///< ends the child when this process is killed; null: nobody does
};

/// stdin from /dev/null; stdout and stderr are this process's own. limit_s 0: none. After the limit
/// or a signal (INT, TERM, HUP) the child's process group gets SIGTERM, 10 s later SIGKILL. Throws
/// Error(usage) when the program cannot be started, Error(lost) when it does not end after SIGKILL.
/// Call it from a process of one thread: signals that another thread takes are not passed on.
ChildOutcome run_child(const LaunchLine& line, double limit_s);
ChildOutcome run_child(const LaunchLine& line, const ChildLimits& limits);

}  // namespace viaduct
