#include "staging/chunking.hpp"

#include "core/error.hpp"
#include "staging/shared_block.hpp"

#include <gtest/gtest.h>

namespace viaduct::staging {

namespace {

constexpr std::uint64_t kib = 1024;
constexpr std::uint64_t mib = 1024 * kib;

TEST(Chunking, SmallMessageIsOneChunk) {
  for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{1}, 4 * kib, 256 * kib}) {
    EXPECT_EQ(chunks_of(bytes, chunk_bytes(bytes)), 1U) << bytes;
  }
}

TEST(Chunking, LargeMessageIsManyAndNoneIsLargerThanASlot) {
  EXPECT_EQ(chunks_of(256 * kib + 1, chunk_bytes(256 * kib + 1)), 2U);
  EXPECT_EQ(chunk_bytes(4 * mib), 512 * kib);
  EXPECT_EQ(chunk_bytes(16 * mib), slot_bytes);
  EXPECT_EQ(chunk_bytes(std::uint64_t{5} << 30U), slot_bytes);
}

/// Whatever the length: a chunk ends between two elements, and the parts are about eight.
TEST(Chunking, ChunksKeepElementsWhole) {
  for (std::uint64_t bytes = 1; bytes < 64 * mib; bytes = bytes * 3 + 7) {
    const std::uint64_t chunk = chunk_bytes(bytes);
    EXPECT_EQ(chunk % 64, 0U) << bytes;
    EXPECT_LE(chunk, slot_bytes) << bytes;
    if (bytes > 2 * mib && bytes < 16 * mib) {
      EXPECT_GE(chunks_of(bytes, chunk), 8U) << bytes;
      EXPECT_LE(chunks_of(bytes, chunk), 11U) << bytes;
    }
  }
}

TEST(Chunking, PiecesOfAllBlocksFitIntoASlot) {
  for (const int ranks : {1, 2, 3, 7, 8, 1000, most_ranks_of_blocks}) {
    for (std::uint64_t block = 1; block < 64 * mib; block = block * 5 + 3) {
      const std::uint64_t piece = block_chunk_bytes(block, ranks);
      EXPECT_EQ(piece % 64, 0U);
      EXPECT_GT(piece, 0U);
      EXPECT_LE(piece * static_cast<std::uint64_t>(ranks), slot_bytes) << block << " " << ranks;
    }
  }
  EXPECT_GT(block_chunk_bytes(~std::uint64_t{0}, 8), 0U);
}

TEST(Chunking, SmallBlocksGoAsAWhole) {
  EXPECT_GE(block_chunk_bytes(8, 2), 8U);
  EXPECT_EQ(chunks_of(32 * kib, block_chunk_bytes(32 * kib, 8)), 1U);
}

TEST(Chunking, MoreRanksThanASlotHasPlacesAreRefused) {
  EXPECT_THROW(block_chunk_bytes(8, most_ranks_of_blocks + 1), Error);
  EXPECT_THROW(block_chunk_bytes(8, 0), Error);
}

}  // namespace

}  // namespace viaduct::staging
