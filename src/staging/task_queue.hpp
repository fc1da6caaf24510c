#pragma once
// The two ends of the queue of tasks in shared memory: one writer (the worker), one reader (the
// rank). Never waits.

#include "staging/shared_block.hpp"

#include <cstdint>
#include <optional>

namespace viaduct::staging {

class TaskWriter {
 public:
  explicit TaskWriter(const SharedBlock& block) : head_(block.head()) {}

  /// What was written to the task's slot before is seen by who takes the task. At most one task
  /// under way for each slot. Returns its number.
  std::uint64_t submit(const Task& task) {
    const std::uint64_t number = next_++;
    head_.tasks[number % ring_length] = task;
    head_.submitted.value.store(next_, std::memory_order_release);
    return number;
  }

  /// When it is true, what the rank wrote to the slot is seen.
  [[nodiscard]] bool is_finished(std::uint32_t slot, std::uint64_t number) const {
    return head_.finished[slot].value.load(std::memory_order_acquire) == number + 1;
  }

 private:
  SharedHead& head_;
  std::uint64_t next_ = 0;
};

struct NumberedTask {
  Task task;
  std::uint64_t number = 0;
};

class TaskReader {
 public:
  explicit TaskReader(const SharedBlock& block) : head_(block.head()) {}

  /// The next task in the order of submission; empty: none now.
  std::optional<NumberedTask> next() {
    if (head_.submitted.value.load(std::memory_order_acquire) == next_) {
      return std::nullopt;
    }
    const std::uint64_t number = next_++;
    return NumberedTask{head_.tasks[number % ring_length], number};
  }

  void finish(std::uint32_t slot, std::uint64_t number) {
    head_.finished[slot].value.store(number + 1, std::memory_order_release);
  }

 private:
  SharedHead& head_;
  std::uint64_t next_ = 0;
};

}  // namespace viaduct::staging
