#include "app/stop_watch.hpp"

#include "core/error.hpp"
#include "core/exit_code.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace viaduct {
namespace {

constexpr double own_words_s =
    0.3;  // launchers kill soon after SIGTERM: the file's last line must be there by then
constexpr double unwinding_s = 2.0;

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGHUP);
  return set;
}

}  // namespace

std::string StopReason::text() const {
  if (signal == 0) {
    return what;
  }
  return fmt::format("signal {} ({})", signal, strsignal(signal));
}

int StopReason::exit_code() const {
  return signal == 0 ? static_cast<int>(ExitCode::lost) : interrupted_exit_code(signal);
}

StopWatch::StopWatch() {
  const sigset_t set = stop_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (signals_ < 0 || wake_ < 0) {
    throw Error(ErrorKind::internal, "signalfd or eventfd cannot be had");
  }
  thread_ = std::thread([this] { watch(); });
}

StopWatch::~StopWatch() {
  release();
  thread_.join();
  close(signals_);
  close(wake_);
}

StopReason StopWatch::reason() const {
  const int signal = stop_signal();
  const std::lock_guard lock(words_mutex_);
  return StopReason{signal == SIGALRM ? 0 : signal, deadline_what_};
}

void StopWatch::arm(std::function<void(const StopReason&)> last_words) {
  const std::lock_guard lock(words_mutex_);
  last_words_ = std::move(last_words);
}

void StopWatch::disarm() {
  const std::lock_guard lock(words_mutex_);
  last_words_ = nullptr;
}

void StopWatch::set_deadline(double seconds, const std::string& what) {
  {
    const std::lock_guard lock(words_mutex_);
    deadline_what_ = what;
  }
  deadline_s_.store(seconds);
  const std::uint64_t one = 1;
  (void)!write(wake_, &one, sizeof one);
}

void StopWatch::release() {
  released_.store(true);
  const std::uint64_t one = 1;
  (void)!write(wake_, &one, sizeof one);
}

bool StopWatch::wait_for_stop() {
  while (!released_.load()) {
    const double deadline_s = deadline_s_.load();
    const double now_s = std::chrono::duration<double>(Deadline::Clock::now() - started_).count();
    if (deadline_s > 0 && now_s >= deadline_s) {
      stop_signal_.store(SIGALRM);
      return true;
    }
    const int wait_ms = deadline_s > 0 ? static_cast<int>((deadline_s - now_s) * 1e3) + 1 : -1;
    pollfd waited[] = {{signals_, POLLIN, 0}, {wake_, POLLIN, 0}};
    poll(waited, 2, wait_ms);
    std::uint64_t drained = 0;
    (void)!read(wake_, &drained, sizeof drained);
    signalfd_siginfo info{};
    if (read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
      stop_signal_.store(static_cast<int>(info.ssi_signo));
      return true;
    }
  }
  return false;
}

void StopWatch::watch() {
  if (!wait_for_stop()) {
    return;
  }
  const auto wait_for_release = [this](double seconds) {
    const Deadline deadline = Deadline::after(seconds);
    while (!released_.load() && !deadline.has_passed()) {
      usleep(10000);
    }
    return released_.load();
  };
  if (wait_for_release(own_words_s)) {
    return;
  }
  const StopReason why = reason();
  {
    const std::lock_guard lock(words_mutex_);
    if (last_words_) {
      last_words_(why);
    } else if (why.signal == 0) {
      fmt::print(stderr, "viaduct: {}\n", why.text());
    }
  }
  if (!wait_for_release(unwinding_s)) {
    _exit(why.exit_code());
  }
}

}  // namespace viaduct
