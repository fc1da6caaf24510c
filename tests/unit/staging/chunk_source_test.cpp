#include "staging/chunk_source.hpp"

#include "staging/chunking.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace viaduct::staging {

namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20U;

std::vector<Chunk> all_of(ChunkSource& source) {
  std::vector<Chunk> chunks;
  while (const auto chunk = source.next()) {
    chunks.push_back(*chunk);
  }
  EXPECT_FALSE(source.next()) << "it had ended";
  return chunks;
}

/// An address that nobody reads or writes.
void* place(std::uint64_t at) {
  constexpr std::uintptr_t origin = 4096;
  return reinterpret_cast<void*>(origin + at);
}

TEST(ChunkSource, VectorIsCutFromEndToEnd) {
  const std::uint64_t bytes = 5 * mib + 4;
  VectorChunks source({.down = place(0),
                       .up = place(64 * mib),
                       .bytes = bytes,
                       .unit = 4,
                       .task = {.kind = TaskKind::all_reduce, .type = Datatype::int32}});
  std::uint64_t at = 0;
  for (const Chunk& chunk : all_of(source)) {
    EXPECT_EQ(chunk.down.at, place(at));
    EXPECT_EQ(chunk.up.at, place(64 * mib + at));
    EXPECT_EQ(chunk.down.bytes, chunk.up.bytes);
    EXPECT_EQ(chunk.task.count * 4, chunk.down.bytes);
    EXPECT_EQ(chunk.task.type, Datatype::int32);
    at += chunk.down.bytes;
  }
  EXPECT_EQ(at, bytes);
}

TEST(ChunkSource, NothingIsOneTaskWithoutACopy) {
  VectorChunks source({.down = place(0), .up = place(0), .task = {.kind = TaskKind::broadcast}});
  const auto chunks = all_of(source);
  ASSERT_EQ(chunks.size(), 1U);
  EXPECT_TRUE(chunks[0].down.is_empty());
  EXPECT_TRUE(chunks[0].up.is_empty());
  EXPECT_EQ(chunks[0].task.count, 0U);
}

TEST(ChunkSource, SmallBlocksAreOneCopyOfAll) {
  BlockChunks source({.down = place(0), .up = place(mib), .bytes = 1000, .rank = 2, .ranks = 4});
  const auto chunks = all_of(source);
  ASSERT_EQ(chunks.size(), 1U);
  EXPECT_EQ(chunks[0].down_at, 2000U);
  EXPECT_EQ(chunks[0].up.rows, 1U);
  EXPECT_EQ(chunks[0].up.bytes, 4000U);
  EXPECT_EQ(chunks[0].task.count, 1000U);
}

TEST(ChunkSource, LargeBlocksAreAPieceOfEach) {
  const std::uint64_t block = 3 * mib + 8;
  BlockChunks source({.down = place(0),
                      .up = place(64 * mib),
                      .bytes = block,
                      .unit = 8,
                      .rank = 1,
                      .ranks = 3,
                      .kind = TaskKind::reduce_scatter,
                      .type = Datatype::float64});
  std::uint64_t at = 0;
  for (const Chunk& chunk : all_of(source)) {
    EXPECT_EQ(chunk.down.rows, 3U);
    EXPECT_EQ(chunk.down.step, block);
    EXPECT_EQ(chunk.down.at, place(at));
    EXPECT_EQ(chunk.up.at, place(64 * mib + at));
    EXPECT_EQ(chunk.up.bytes, chunk.down.bytes);
    EXPECT_EQ(chunk.task.count * 8, chunk.up.bytes);
    at += chunk.up.bytes;
  }
  EXPECT_EQ(at, block);
}

TEST(ChunkSource, MessagesTakeTurns) {
  const std::vector<Message> messages{
      {place(0), mib, 1}, {place(8 * mib), 0, 2}, {place(16 * mib), 600 * 1024, 3}};
  MessageChunks source(messages, TaskKind::send);
  std::vector<int> peers;
  std::vector<std::uint64_t> bytes(4, 0);
  for (const Chunk& chunk : all_of(source)) {
    EXPECT_TRUE(chunk.up.is_empty());
    EXPECT_EQ(chunk.task.count, chunk.down.bytes);
    const auto peer = static_cast<std::size_t>(chunk.task.peer);
    EXPECT_EQ(chunk.down.at, place((peer - 1) * 8 * mib + bytes[peer]));
    bytes[peer] += chunk.task.count;
    peers.push_back(chunk.task.peer);
  }
  EXPECT_EQ(peers, (std::vector<int>{1, 2, 3, 1, 3, 1, 3, 1}));
  EXPECT_EQ(bytes, (std::vector<std::uint64_t>{0, mib, 0, 600 * 1024}));
}

TEST(ChunkSource, NoMessagesAreNoChunks) {
  const std::vector<Message> none;
  MessageChunks source(none, TaskKind::receive);
  EXPECT_TRUE(all_of(source).empty());
}

}  // namespace

}  // namespace viaduct::staging
