#pragma once
// Chunks of one direction under way: down from the GPU, through MPI, up to the GPU, each in a slot
// of its own, so that the legs of different chunks overlap. Never waits.

#include "staging/chunk_source.hpp"
#include "staging/device_copies.hpp"
#include "staging/shared_block.hpp"
#include "staging/task_queue.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace viaduct::staging {

/// Which legs are done: to time one by itself the others are left out.
struct Legs {
  bool down = true;
  bool mpi = true;
  bool up = true;
};

class ChunkLine {
 public:
  /// The slots from `first_slot` on. All outlive this.
  ChunkLine(const SharedBlock& block,
            TaskWriter& tasks,
            DeviceCopies& copies,
            std::size_t first_slot)
      : block_(block),
        tasks_(tasks),
        copies_(copies),
        first_slot_(first_slot) {}

  /// The line is finished. The source must live until it is so again.
  void begin(ChunkSource& source, const Legs& legs);

  /// Looks at every chunk under way once. True: something went on.
  bool step();

  [[nodiscard]] bool is_finished() const { return source_ == nullptr && first_ == next_; }

 private:
  enum class Stage { down, mpi, up, done };

  struct Flight {
    Chunk chunk;
    Stage stage = Stage::done;
    std::uint64_t ticket = 0;  ///< of the copy under way
    std::uint64_t number = 0;  ///< of the task
    bool has_copy = false;     ///< a copy was started in this stage
  };

  bool start_next();
  bool advance(Flight& flight, bool& may_submit);
  void end_down(Flight& flight);
  void end_mpi(Flight& flight);

  Flight& flight(std::uint64_t number) { return flights_[number % slots_each_way]; }

  const SharedBlock& block_;
  TaskWriter& tasks_;
  DeviceCopies& copies_;
  std::size_t first_slot_;
  Legs legs_;
  ChunkSource* source_ = nullptr;  ///< null: it has no more chunks
  std::array<Flight, slots_each_way> flights_;
  std::uint64_t first_ = 0;  ///< oldest chunk under way
  std::uint64_t next_ = 0;   ///< next chunk to start; chunk n has slot n % slots_each_way
};

}  // namespace viaduct::staging
