#pragma once
// A point of time by which something must have happened. Every wait takes one.

#include <algorithm>
#include <chrono>

namespace viaduct {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  /// Three years and more are all the same: a larger number would overflow the clock.
  static Deadline after(double seconds) {
    const double bounded = std::clamp(seconds, -1e8, 1e8);
    return Deadline(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                       std::chrono::duration<double>(bounded)));
  }

  static Deadline at(Clock::time_point when) { return Deadline(when); }

  [[nodiscard]] bool has_passed() const { return Clock::now() >= when_; }

  /// Never negative.
  [[nodiscard]] double seconds_left() const {
    const double left = std::chrono::duration<double>(when_ - Clock::now()).count();
    return left > 0 ? left : 0;
  }

  [[nodiscard]] Clock::time_point when() const { return when_; }

  [[nodiscard]] Deadline earlier(const Deadline& other) const {
    return Deadline(when_ < other.when_ ? when_ : other.when_);
  }

 private:
  explicit Deadline(Clock::time_point when) : when_(when) {}

  Clock::time_point when_;
};

}  // namespace viaduct
