#include "mpi/patient_wait.hpp"

#include "core/error.hpp"
#include "mpi/mpi_session.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <ctime>

namespace viaduct {

namespace {

/// Sleeps that grow, after a short while of testing at full speed: the ranks mostly come within it.
class BackOff {
 public:
  void pause() {
    if (Clock::now() < spin_until_) {
      return;
    }
    const timespec sleep{.tv_sec = 0, .tv_nsec = nanoseconds_};
    nanosleep(&sleep, nullptr);
    nanoseconds_ = nanoseconds_ * 2 < longest ? nanoseconds_ * 2 : longest;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr long longest = 1'000'000;

  Clock::time_point spin_until_ = Clock::now() + std::chrono::microseconds(50);
  long nanoseconds_ = 20'000;
};

void throw_if_interrupted(const std::function<int()>& interrupted) {
  if (!interrupted) {
    return;
  }
  if (const int signal = interrupted(); signal != 0) {
    throw Error(ErrorKind::interrupted,
                fmt::format("interrupted by signal {} ({})", signal, strsignal(signal)));
  }
}

}  // namespace

void wait_patiently(MPI_Request& request,
                    Deadline deadline,
                    const std::function<int()>& interrupted,
                    const char* what) {
  const double allowed_s = deadline.seconds_left();
  BackOff back_off;
  while (true) {
    int is_done = 0;
    check(MPI_Test(&request, &is_done, MPI_STATUS_IGNORE), "MPI_Test");
    if (is_done != 0) {
      return;
    }
    throw_if_interrupted(interrupted);
    if (deadline.has_passed()) {
      throw Error(
          ErrorKind::lost,
          fmt::format("the other ranks did not come to {} within {:.1f} s", what, allowed_s));
    }
    back_off.pause();
  }
}

}  // namespace viaduct
