#pragma once
// A thread that sleeps beside a call which cannot be interrupted, and speaks up when the deadline
// passes. Knows no MPI.

#include "core/deadline.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace viaduct {

class HangWatch {
 public:
  using OnHang = std::function<void(std::string)>;

  /// `on_hang` is called on the watching thread. Empty: nobody is told, and there is no thread.
  explicit HangWatch(OnHang on_hang);
  ~HangWatch();

  HangWatch(const HangWatch&) = delete;
  HangWatch& operator=(const HangWatch&) = delete;

  /// From now until disarm(): at the deadline on_hang(message) is called, once.
  void arm(Deadline deadline, std::string message);
  void disarm();

 private:
  void watch();
  void start_thread();

  OnHang on_hang_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Deadline> deadline_;
  std::string message_;
  bool is_ending_ = false;
  std::thread thread_;
};

/// Armed as long as it lives.
class HangGuard {
 public:
  HangGuard(HangWatch& watch, Deadline deadline, std::string message) : watch_(watch) {
    watch_.arm(deadline, std::move(message));
  }

  ~HangGuard() { watch_.disarm(); }

  HangGuard(const HangGuard&) = delete;
  HangGuard& operator=(const HangGuard&) = delete;

 private:
  HangWatch& watch_;
};

}  // namespace viaduct
