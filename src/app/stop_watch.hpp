#pragma once
// Stopping from outside: INT, TERM, HUP and the deadline of the whole run. Waits in a thread of its
// own, so that the result file gets its last line even when the main thread hangs in a measured
// operation.

#include "core/deadline.hpp"

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace viaduct {

/// Why the run was asked to stop.
struct StopReason {
  int signal = 0;    ///< 0: a deadline passed
  std::string what;  ///< that had not ended by its deadline
  [[nodiscard]] std::string text() const;
  [[nodiscard]] int exit_code() const;
};

class StopWatch {
 public:
  /// Blocks the signals in this thread and those it starts: make it before MPI_Init.
  StopWatch();
  ~StopWatch();

  StopWatch(const StopWatch&) = delete;
  StopWatch& operator=(const StopWatch&) = delete;

  /// Not 0 once a stop was asked for: the signal, or SIGALRM for the deadline of the run.
  [[nodiscard]] int stop_signal() const { return stop_signal_.load(); }

  [[nodiscard]] StopReason reason() const;

  /// `last_words` runs in the watching thread when a stop was asked for and release() was not
  /// called within 0.3 s. Two seconds after that the process ends with the reason's exit code.
  void arm(std::function<void(const StopReason&)> last_words);

  /// Takes the last words back, and waits for them where they are being said: what they use may go
  /// after this.
  void disarm();

  /// A time limit, in seconds since this object was made; `what` says what had not ended by then.
  /// One at a time: a later call replaces it, 0 takes it away.
  void set_deadline(double seconds, const std::string& what);

  /// The main thread has done its own last words: from here on nothing is done for it.
  void release();

 private:
  void watch();
  bool wait_for_stop();

  int signals_ = -1;
  int wake_ = -1;
  std::atomic<int> stop_signal_{0};
  std::atomic<bool> released_{false};
  std::atomic<double> deadline_s_{0};
  Deadline::Clock::time_point started_ = Deadline::Clock::now();
  std::string deadline_what_;
  mutable std::mutex words_mutex_;  ///< held while the last words are set, said or taken back
  std::function<void(const StopReason&)> last_words_;
  std::thread thread_;
};

}  // namespace viaduct
