#pragma once
// Ranks as threads of one process: where they meet and leave each other messages. A wait that no
// other rank ends throws.

#include "core/error.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace viaduct::loopback {

class World {
 public:
  using Message = std::vector<unsigned char>;

  explicit World(int ranks) : ranks_(ranks), inputs_(static_cast<std::size_t>(ranks), nullptr) {}

  [[nodiscard]] int ranks() const { return ranks_; }

  /// Returns when every rank is here.
  void meet() {
    std::unique_lock lock(mutex_);
    const std::uint64_t generation = generation_;
    if (++waiting_ == ranks_) {
      waiting_ = 0;
      ++generation_;
      changed_.notify_all();
      return;
    }
    wait(lock, [&] { return generation_ != generation; });
  }

  /// Every rank's pointer, by rank; valid until the next meet(). Between two meets only one
  /// exchange.
  const std::vector<const unsigned char*>& exchange(int rank, const void* input) {
    {
      const std::lock_guard lock(mutex_);
      inputs_[static_cast<std::size_t>(rank)] = static_cast<const unsigned char*>(input);
    }
    meet();
    return inputs_;
  }

  void leave(int from, int to, Message message) {
    const std::lock_guard lock(mutex_);
    messages_[{from, to}].push_back(std::move(message));
    changed_.notify_all();
  }

  Message take(int from, int to) {
    std::unique_lock lock(mutex_);
    auto& queue = messages_[{from, to}];
    wait(lock, [&] { return !queue.empty(); });
    Message message = std::move(queue.front());
    queue.pop_front();
    return message;
  }

  /// Wakes every rank that waits: one of them has ended with an error.
  void give_up() {
    const std::lock_guard lock(mutex_);
    has_given_up_ = true;
    changed_.notify_all();
  }

 private:
  template <typename Condition>
  void wait(std::unique_lock<std::mutex>& lock, Condition condition) {
    const bool done = changed_.wait_for(
        lock, std::chrono::seconds(20), [&] { return has_given_up_ || condition(); });
    if (!done || !condition()) {
      throw Error(ErrorKind::lost, "the other ranks of the loopback did not come");
    }
  }

  int ranks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int waiting_ = 0;
  std::uint64_t generation_ = 0;
  bool has_given_up_ = false;
  std::vector<const unsigned char*> inputs_;
  std::map<std::pair<int, int>, std::deque<Message>> messages_;
};

/// Runs body(world, rank) on one thread for each rank; rethrows the first error.
template <typename Body>
void run_ranks(int ranks, const Body& body) {
  World world(ranks);
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(ranks));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&world, &errors, &body, rank] {
      try {
        body(world, rank);
      } catch (...) {
        errors[static_cast<std::size_t>(rank)] = std::current_exception();
        world.give_up();
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const std::exception_ptr& error : errors) {
    if (error) {
      std::rethrow_exception(error);
    }
  }
}

}  // namespace viaduct::loopback
