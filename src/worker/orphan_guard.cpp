#include "core/error.hpp"
#include "worker/server.hpp"

#include <fmt/format.h>

#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace viaduct {

namespace {

/// The process that made the socket pair: the rank. The kernel keeps its number with the socket.
pid_t maker_of(int descriptor) {
  ucred maker{};
  socklen_t length = sizeof(maker);
  if (::getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &maker, &length) != 0) {
    throw Error(
        ErrorKind::usage,
        fmt::format("a worker is started by viaduct-rank, not by hand: descriptor {} is not "
                    "its control socket ({})",
                    descriptor,
                    std::generic_category().message(errno)));
  }
  return maker.pid;
}

/// A parent that ended before PR_SET_PDEATHSIG sends no signal any more. A parent other than the
/// maker is no proof: it may be a tool that wraps the worker. A maker of number 0 is in another
/// process namespace.
bool has_ended(pid_t maker) {
  return maker > 0 && ::getppid() != maker && ::kill(maker, 0) != 0 && errno == ESRCH;
}

/// Waits for as long as the rank lives; a worker stuck in a call of CUDA or NCCL leaves here.
void watch(int descriptor) {
  pollfd entry{};
  entry.fd = descriptor;
  entry.events = POLLRDHUP;
  while (::poll(&entry, 1, -1) < 0 && errno == EINTR) {
  }
  // Not exit(): destructors of a driver that hangs would hang as well.
  ::_exit(0);
}

void ignore_stop_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    std::signal(signal, SIG_IGN);
  }
}

}  // namespace

void guard_against_orphaning(int descriptor) {
  const pid_t maker = maker_of(descriptor);
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  ignore_stop_signals();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (has_ended(maker)) {
    throw Error(ErrorKind::lost, fmt::format("the rank (process {}) has ended", maker));
  }
  std::thread(watch, descriptor).detach();
}

}  // namespace viaduct
