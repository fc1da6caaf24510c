#pragma once
// Control for ranks that are threads of one process: real waits, real deadlines, real alarms.
// Notices ranks that do not make the same calls in the same order, which a launch over MPI would
// only show as a hang.

#include "control/control.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace viaduct::testing {

/// What one rank gives to a call.
struct Contribution {
  std::string kind;
  std::string text = {};
  std::vector<double> values = {};
};

/// What the threads share.
class ThreadedWorld {
 public:
  explicit ThreadedWorld(int ranks) : ranks_(ranks), alarms_(static_cast<std::size_t>(ranks)) {}

  [[nodiscard]] int size() const { return ranks_; }

  /// As a signal that reaches every rank: each wait from now on throws Error(interrupted).
  void interrupt() {
    const std::lock_guard lock(mutex_);
    is_interrupted_ = true;
    changed_.notify_all();
  }

  [[nodiscard]] bool is_interrupted() const { return is_interrupted_; }

  /// A rank has left with an error: nobody waits for it.
  void break_up() {
    const std::lock_guard lock(mutex_);
    is_broken_ = true;
    changed_.notify_all();
  }

  std::vector<Contribution> exchange(std::uint64_t call,
                                     int rank,
                                     Contribution own,
                                     Deadline deadline) {
    std::unique_lock lock(mutex_);
    Slot& slot = slots_[call];
    slot.given.resize(static_cast<std::size_t>(ranks_));
    if (slot.arrived > 0 && slot.kind != own.kind) {
      const std::string what = "ranks call " + slot.kind + " and " + own.kind + " at once";
      is_broken_ = true;
      changed_.notify_all();
      throw Error(ErrorKind::internal, what);
    }
    slot.kind = own.kind;
    slot.given[static_cast<std::size_t>(rank)] = std::move(own);
    ++slot.arrived;
    changed_.notify_all();
    changed_.wait_until(lock, deadline.when(), [&] {
      return slot.arrived == ranks_ || is_interrupted_ || is_broken_;
    });
    if (is_interrupted_) {
      throw Error(ErrorKind::interrupted, "signal 15");
    }
    if (slot.arrived < ranks_) {
      throw Error(ErrorKind::lost, "not every rank came to " + slot.kind);
    }
    std::vector<Contribution> all = slot.given;
    if (++slot.left == ranks_) {
      slots_.erase(call);
    }
    return all;
  }

  void raise_alarm(int from, std::uint64_t step) {
    const std::lock_guard lock(mutex_);
    for (int rank = 0; rank < ranks_; ++rank) {
      if (rank != from) {
        alarms_[static_cast<std::size_t>(rank)].insert(step);
      }
    }
  }

  bool alarm_raised(int rank, std::uint64_t step) {
    const std::lock_guard lock(mutex_);
    auto& mine = alarms_[static_cast<std::size_t>(rank)];
    mine.erase(mine.begin(), mine.lower_bound(step));
    return mine.count(step) != 0;
  }

 private:
  struct Slot {
    std::string kind;
    std::vector<Contribution> given;
    int arrived = 0;
    int left = 0;
  };

  int ranks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, Slot> slots_;
  std::vector<std::set<std::uint64_t>> alarms_;
  std::atomic<bool> is_interrupted_ = false;
  std::atomic<bool> is_broken_ = false;
};

class ThreadedControl : public Control {
 public:
  ThreadedControl(ThreadedWorld& world, int rank) : world_(world), rank_(rank) {}

  [[nodiscard]] int rank() const override { return rank_; }

  [[nodiscard]] int size() const override { return world_.size(); }

  /// Agreements of this rank so far.
  [[nodiscard]] std::uint64_t calls() const { return calls_; }

  void barrier(Deadline deadline) override { exchange({.kind = "barrier"}, deadline); }

  std::string broadcast(const std::string& text, int root, Deadline deadline) override {
    return exchange({.kind = "broadcast", .text = text}, deadline)[static_cast<std::size_t>(root)]
        .text;
  }

  std::vector<double> max(const std::vector<double>& values, Deadline deadline) override {
    return reduce("max", values, deadline, [](double a, double b) { return std::max(a, b); });
  }

  std::vector<double> sum(const std::vector<double>& values, Deadline deadline) override {
    return reduce("sum", values, deadline, [](double a, double b) { return a + b; });
  }

  std::vector<std::string> gather(const std::string& text, int root, Deadline deadline) override {
    auto texts = texts_of(exchange({.kind = "gather", .text = text}, deadline));
    return rank_ == root ? texts : std::vector<std::string>{};
  }

  std::vector<std::string> all_gather(const std::string& text, Deadline deadline) override {
    return texts_of(exchange({.kind = "all_gather", .text = text}, deadline));
  }

  void raise_alarm(std::uint64_t step) override { world_.raise_alarm(rank_, step); }

  bool alarm_raised(std::uint64_t step) override { return world_.alarm_raised(rank_, step); }

 private:
  std::vector<Contribution> exchange(Contribution own, Deadline deadline) {
    return world_.exchange(calls_++, rank_, std::move(own), deadline);
  }

  template <typename Op>
  std::vector<double> reduce(const std::string& kind,
                             const std::vector<double>& values,
                             Deadline deadline,
                             Op op) {
    // The length is part of the kind: ranks must give equally many values.
    const auto all =
        exchange({.kind = kind + std::to_string(values.size()), .values = values}, deadline);
    std::vector<double> result = all.front().values;
    for (std::size_t rank = 1; rank < all.size(); ++rank) {
      for (std::size_t i = 0; i < result.size(); ++i) {
        result[i] = op(result[i], all[rank].values[i]);
      }
    }
    return result;
  }

  static std::vector<std::string> texts_of(const std::vector<Contribution>& all) {
    std::vector<std::string> texts;
    for (const Contribution& one : all) {
      texts.push_back(one.text);
    }
    return texts;
  }

  ThreadedWorld& world_;
  int rank_;
  std::uint64_t calls_ = 0;
};

/// Runs `body` on every rank, each a thread. What a rank threw, by rank; empty entries for those
/// that did not.
inline std::vector<std::exception_ptr> run_ranks(
    ThreadedWorld& world, const std::function<void(ThreadedControl&)>& body) {
  std::vector<std::exception_ptr> thrown(static_cast<std::size_t>(world.size()));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < world.size(); ++rank) {
    threads.emplace_back([&world, &body, &thrown, rank] {
      ThreadedControl control(world, rank);
      try {
        body(control);
      } catch (...) {
        thrown[static_cast<std::size_t>(rank)] = std::current_exception();
        world.break_up();
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  return thrown;
}

}  // namespace viaduct::testing
