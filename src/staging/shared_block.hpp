#pragma once
// The memory that a rank and its worker share: slots of data, and the tasks that go from one to the
// other. Knows nothing of who copies and who sends.

#include "staging/task.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace viaduct::staging {

/// A slot holds the largest chunk; see chunking.hpp for the sizes.
constexpr std::size_t slot_bytes = std::size_t{2} << 20U;

/// Of what goes out and of what comes in each. Three chunks are at work at once (down, MPI, up);
/// the others let MPI have several under way, which hides the time that a message takes to start.
constexpr std::size_t slots_each_way = 8;
constexpr std::size_t slot_count = 2 * slots_each_way;

/// More than there are slots, so that no task overwrites one that was not taken yet.
constexpr std::size_t ring_length = 64;
static_assert(ring_length > slot_count);

constexpr std::size_t cache_line = 64;

/// A counter by itself on a cache line: one side writes, the other polls.
struct alignas(cache_line) SharedCount {
  std::atomic<std::uint64_t> value{0};
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free,
              "two processes share these: a lock would belong to one of them");

struct SharedHead {
  std::uint64_t mark = 0;                        ///< of this form of the memory
  SharedCount submitted;                         ///< tasks so far; written by the worker
  std::array<SharedCount, slot_count> finished;  ///< number + 1 of the last task done on a slot
  std::array<Task, ring_length> tasks;           ///< task n lies at n % ring_length
};

/// One side's view of the memory. Pages are not touched by making it: whoever writes a slot first
/// decides on which NUMA node it lies, and that must be the worker, which runs beside its GPU.
class SharedBlock {
 public:
  /// New memory of no name. Throws Error(lost) with the system's reason.
  static SharedBlock create();

  /// The memory behind a descriptor that another process has made; the descriptor stays open.
  /// Throws Error(lost) when it is no such memory.
  static SharedBlock attach(int descriptor);

  ~SharedBlock();

  SharedBlock(SharedBlock&& other) noexcept;
  SharedBlock& operator=(SharedBlock&&) = delete;
  SharedBlock(const SharedBlock&) = delete;
  SharedBlock& operator=(const SharedBlock&) = delete;

  [[nodiscard]] SharedHead& head() const { return *static_cast<SharedHead*>(memory_); }

  [[nodiscard]] unsigned char* slot(std::size_t number) const;

  /// All slots, one after another.
  [[nodiscard]] unsigned char* data() const { return slot(0); }

  static constexpr std::size_t data_bytes = slot_count * slot_bytes;

  [[nodiscard]] int descriptor() const { return descriptor_; }

  /// Takes the pages of all slots now, near the cores that this thread may run on. Throws
  /// Error(refused) when there is no memory for them: later it would be a SIGBUS.
  void take_pages() const;

  /// As if no task had ever come; no task is under way, and neither side has a queue on it.
  void clear_tasks() const;

  /// The memory stays mapped until the process ends: something may still write there.
  void leave_mapped() { memory_ = nullptr; }

 private:
  SharedBlock(int descriptor, void* memory, bool owns_descriptor)
      : descriptor_(descriptor),
        memory_(memory),
        owns_descriptor_(owns_descriptor) {}

  int descriptor_ = -1;
  void* memory_ = nullptr;
  bool owns_descriptor_ = false;
};

}  // namespace viaduct::staging
