#pragma once
// One operation as a sequence of chunks: what comes down, which task it is, what goes up. Pure.

#include "staging/device_copies.hpp"
#include "staging/task.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace viaduct::staging {

struct Chunk {
  DeviceRows down;            ///< empty: nothing comes from the GPU
  std::uint64_t down_at = 0;  ///< where in the slot it goes
  DeviceRows up;              ///< from the start of the slot; empty: nothing goes to the GPU
  Task task;                  ///< but for the slot
};

/// Takes no memory in next(): that stands inside the timed loop.
class ChunkSource {
 public:
  virtual ~ChunkSource() = default;

  /// Empty: there are no more.
  virtual std::optional<Chunk> next() = 0;
};

/// A vector that every rank has, chunk after chunk: all_reduce, broadcast, reduce.
class VectorChunks : public ChunkSource {
 public:
  struct Vector {
    const void* down = nullptr;  ///< null: this rank gives nothing
    void* up = nullptr;          ///< null: this rank gets nothing
    std::uint64_t bytes = 0;
    std::uint64_t unit = 1;  ///< bytes of what Task::count counts
    Task task;               ///< but for the count
  };

  explicit VectorChunks(const Vector& vector);

  std::optional<Chunk> next() override;

 private:
  Vector vector_;
  std::uint64_t chunk_;
  std::uint64_t left_;  ///< chunks
  std::uint64_t at_ = 0;
};

/// A block for each rank, a piece of all of them in each chunk: all_gather, reduce_scatter.
class BlockChunks : public ChunkSource {
 public:
  struct Blocks {
    const void* down = nullptr;
    void* up = nullptr;
    std::uint64_t bytes = 0;  ///< of one block
    std::uint64_t unit = 1;
    int rank = 0;
    int ranks = 1;
    TaskKind kind = TaskKind::all_gather;
    Datatype type = Datatype::float32;
    ReduceOp op = ReduceOp::sum;
  };

  explicit BlockChunks(const Blocks& blocks);

  std::optional<Chunk> next() override;

 private:
  [[nodiscard]] DeviceRows all_blocks(const void* first, std::uint64_t piece) const;

  Blocks blocks_;
  std::uint64_t chunk_;
  std::uint64_t left_;
  std::uint64_t at_ = 0;
};

struct Message {
  void* buffer = nullptr;  ///< only read when sent
  std::uint64_t bytes = 0;
  int peer = 0;
};

/// Messages one way, a chunk of each in turn, so that one peer who is late does not hold up the
/// others as long as there are slots. Both ends of a pair come to the same order.
class MessageChunks : public ChunkSource {
 public:
  /// The messages outlive this. `kind`: send or receive.
  MessageChunks(const std::vector<Message>& messages, TaskKind kind);

  std::optional<Chunk> next() override;

 private:
  [[nodiscard]] Chunk chunk_of(const Message& message) const;

  const std::vector<Message>& messages_;
  TaskKind kind_;
  std::uint64_t round_ = 0;
  std::size_t message_ = 0;
  bool is_used_ = false;  ///< this round has given a chunk
};

}  // namespace viaduct::staging
