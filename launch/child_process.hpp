#pragma once
// Runs one launch line: passes signals on, has a time limit, returns the exit code.

#include "launch/death_guard.hpp"
#include "launch/launch_line.hpp"

namespace viaduct {

struct ChildOutcome {
  int exit_code = 0;  ///< 128 + s after signal s
  bool timed_out = false;
  bool hung = false;      ///< its ranks had ended, it did not, and was ended
  int passed_signal = 0;  ///< a signal that this process got and passed on; 0: none
};

/// How long a child may take to end. The defaults are those of the programs; tests take shorter
/// ones.
struct ChildLimits {
  double limit_s = 0;           ///< 0: none
  double grace_s = 10;          ///< until SIGKILL follows
  double killed_s = 10;         ///< from SIGKILL until the child is given up (a process in D state)
  double repeat_s = 3;          ///< until SIGTERM follows: a hung mpirun needs two
  double hung_s = 20;           ///< from the end of its ranks to its own
  double look_s = 2;            ///< how often the ranks are looked for
  DeathGuard* guard = nullptr;  ///< ends the child when this process is killed; null: nobody does
};

/// stdin from /dev/null; stdout and stderr are this process's own. limit_s 0: none. After the limit
/// or a signal (INT, TERM, HUP), or when the child outlives its ranks, its process group gets the
/// line's end signal, after 3 s SIGTERM, after 10 s SIGKILL. Throws Error(usage) when the program
/// cannot be started, Error(lost) when it does not end after SIGKILL. Call it from a process of one
/// thread: signals that another thread takes are not passed on.
ChildOutcome run_child(const LaunchLine& line, double limit_s);
ChildOutcome run_child(const LaunchLine& line, const ChildLimits& limits);

}  // namespace viaduct
