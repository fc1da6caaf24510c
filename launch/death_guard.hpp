#pragma once
// A small process that outlives this one and cleans up when this one is killed: a launcher that
// runs on without anyone who waits for it, and files that only this process would have removed.

#include <string>
#include <sys/types.h>

namespace viaduct {

class DeathGuard {
 public:
  /// Forks: call it while this process has one thread. A machine that gives no further process
  /// leaves the guard out.
  DeathGuard();

  /// Tells the guard that all is well; it ends.
  ~DeathGuard();

  DeathGuard(const DeathGuard&) = delete;
  DeathGuard& operator=(const DeathGuard&) = delete;

  /// After the death of this process the group gets SIGTERM, and SIGKILL 10 s later. 0: none any
  /// more.
  void watch_group(pid_t group);

  /// To be removed with all that is in it, when the group has ended. Empty: none any more.
  void watch_folder(const std::string& folder);

 private:
  void tell(const std::string& message);

  pid_t guard_ = -1;
  int pipe_ = -1;  ///< its end is what the guard waits for
};

}  // namespace viaduct
