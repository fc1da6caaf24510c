#include "launch/signal_watch.hpp"

#include "core/error.hpp"

#include <cmath>
#include <system_error>

namespace viaduct {

SignalWatch::SignalWatch() {
  ::sigemptyset(&watched_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) {
    ::sigaddset(&watched_, signal);
  }

  struct sigaction by_default {};

  by_default.sa_handler = SIG_DFL;
  ::sigaction(SIGCHLD, &by_default, &child_before_);
  const int error_number = ::pthread_sigmask(SIG_BLOCK, &watched_, &before_);
  if (error_number != 0) {
    throw Error(ErrorKind::internal,
                "pthread_sigmask: " + std::generic_category().message(error_number));
  }
}

SignalWatch::~SignalWatch() {
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  ::sigaction(SIGCHLD, &child_before_, nullptr);
}

int SignalWatch::wait(double seconds) const {
  constexpr double nanoseconds = 1e9;
  timespec time{};
  time.tv_sec = static_cast<time_t>(seconds);
  time.tv_nsec = static_cast<long>((seconds - std::floor(seconds)) * nanoseconds);
  const int signal = ::sigtimedwait(&watched_, nullptr, &time);
  return signal > 0 ? signal : 0;
}

}  // namespace viaduct
