#include "mpi/hang_watch.hpp"

#include <csignal>

namespace viaduct {

HangWatch::HangWatch(OnHang on_hang) : on_hang_(std::move(on_hang)) {
  if (on_hang_) {
    start_thread();
  }
}

HangWatch::~HangWatch() {
  if (!thread_.joinable()) {
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

/// Signals of the process go to the thread that measures: there they end sleeps and reach its
/// handlers.
void HangWatch::start_thread() {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([this] { watch(); });
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void HangWatch::arm(Deadline deadline, std::string message) {
  {
    const std::lock_guard lock(mutex_);
    deadline_ = deadline;
    message_ = std::move(message);
  }
  changed_.notify_one();
}

void HangWatch::disarm() {
  // The thread is not woken: it finds at the old deadline that nothing is armed, or something else.
  const std::lock_guard lock(mutex_);
  deadline_.reset();
}

void HangWatch::watch() {
  std::unique_lock lock(mutex_);
  while (!is_ending_) {
    if (!deadline_) {
      changed_.wait(lock);
      continue;
    }
    if (!deadline_->has_passed()) {
      changed_.wait_until(lock, deadline_->when());
      continue;
    }
    deadline_.reset();
    const std::string message = message_;
    lock.unlock();
    on_hang_(message);
    lock.lock();
  }
}

}  // namespace viaduct
