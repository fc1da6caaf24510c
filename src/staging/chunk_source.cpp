#include "staging/chunk_source.hpp"

#include "staging/chunking.hpp"

#include <algorithm>

namespace viaduct::staging {

namespace {

/// The value that serves both directions of a copy; only copies up write there.
void* advance(const void* at, std::uint64_t bytes) {
  return const_cast<unsigned char*>(static_cast<const unsigned char*>(at)) + bytes;
}

DeviceRows one_row(const void* at, std::uint64_t bytes) {
  return {.at = const_cast<void*>(at), .bytes = bytes, .rows = 1, .step = bytes};
}

DeviceRows row_of(const void* vector, std::uint64_t first, std::uint64_t bytes) {
  return vector == nullptr ? DeviceRows{} : one_row(advance(vector, first), bytes);
}

}  // namespace

VectorChunks::VectorChunks(const Vector& vector)
    : vector_(vector),
      chunk_(chunk_bytes(vector.bytes)),
      left_(chunks_of(vector.bytes, chunk_)) {}

std::optional<Chunk> VectorChunks::next() {
  if (left_ == 0) {
    return std::nullopt;
  }
  const std::uint64_t bytes = std::min(chunk_, vector_.bytes - at_);
  Chunk chunk{.down = row_of(vector_.down, at_, bytes),
              .up = row_of(vector_.up, at_, bytes),
              .task = vector_.task};
  chunk.task.count = bytes / vector_.unit;
  at_ += bytes;
  --left_;
  return chunk;
}

BlockChunks::BlockChunks(const Blocks& blocks)
    : blocks_(blocks),
      chunk_(block_chunk_bytes(blocks.bytes, blocks.ranks)),
      left_(chunks_of(blocks.bytes, chunk_)) {}

/// Whole blocks lie one after another on the GPU as well: one copy instead of one for each rank.
DeviceRows BlockChunks::all_blocks(const void* first, std::uint64_t piece) const {
  const auto ranks = static_cast<std::uint64_t>(blocks_.ranks);
  if (piece == blocks_.bytes) {
    return one_row(first, piece * ranks);
  }
  return {.at = advance(first, at_), .bytes = piece, .rows = ranks, .step = blocks_.bytes};
}

std::optional<Chunk> BlockChunks::next() {
  if (left_ == 0) {
    return std::nullopt;
  }
  const std::uint64_t piece = std::min(chunk_, blocks_.bytes - at_);
  Chunk chunk;
  if (blocks_.kind == TaskKind::all_gather) {
    chunk.down = row_of(blocks_.down, at_, piece);
    chunk.down_at = static_cast<std::uint64_t>(blocks_.rank) * piece;
    chunk.up = all_blocks(blocks_.up, piece);
  } else {
    chunk.down = all_blocks(blocks_.down, piece);
    chunk.up = row_of(blocks_.up, at_, piece);
  }
  chunk.task.kind = blocks_.kind;
  chunk.task.count = piece / blocks_.unit;
  chunk.task.type = blocks_.type;
  chunk.task.op = blocks_.op;
  at_ += piece;
  --left_;
  return chunk;
}

MessageChunks::MessageChunks(const std::vector<Message>& messages, TaskKind kind)
    : messages_(messages),
      kind_(kind) {}

Chunk MessageChunks::chunk_of(const Message& message) const {
  const std::uint64_t chunk = chunk_bytes(message.bytes);
  const std::uint64_t at = round_ * chunk;
  const std::uint64_t bytes = std::min(chunk, message.bytes - at);
  const DeviceRows rows = one_row(advance(message.buffer, at), bytes);
  Chunk found;
  (kind_ == TaskKind::send ? found.down : found.up) = rows;
  found.task.kind = kind_;
  found.task.peer = message.peer;
  found.task.count = bytes;
  return found;
}

std::optional<Chunk> MessageChunks::next() {
  while (true) {
    if (message_ == messages_.size()) {
      if (!is_used_) {
        return std::nullopt;
      }
      message_ = 0;
      is_used_ = false;
      ++round_;
    }
    const Message& message = messages_[message_++];
    if (round_ < chunks_of(message.bytes, chunk_bytes(message.bytes))) {
      is_used_ = true;
      return chunk_of(message);
    }
  }
}

}  // namespace viaduct::staging
