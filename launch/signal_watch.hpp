#pragma once
// The signals that a launch waits for, blocked while it runs and put back afterwards. Knows no
// child.

#include <csignal>
#include <ctime>

namespace viaduct {

/// Blocks INT, TERM, HUP and CHLD for this thread and gives CHLD its default action, without which
/// an inherited "ignore" would throw the child's exit status away.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();

  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  /// The mask before, for the child.
  [[nodiscard]] const sigset_t& mask_before() const { return before_; }

  /// The next of the signals; 0 when none came in that time.
  [[nodiscard]] int wait(double seconds) const;

 private:
  sigset_t watched_{};
  sigset_t before_{};

  struct sigaction child_before_ {};
};

}  // namespace viaduct
