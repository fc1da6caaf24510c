#include "staging/chunking.hpp"

#include "core/error.hpp"
#include "staging/shared_block.hpp"

#include <algorithm>
#include <string>

namespace viaduct::staging {

namespace {

constexpr std::uint64_t least_chunk = std::uint64_t{256} << 10U;
constexpr std::uint64_t chunk_step = std::uint64_t{64} << 10U;
constexpr std::uint64_t parts = 8;

/// Of a piece of a block: a multiple of every element, and of a cache line.
constexpr std::uint64_t piece_step = 64;
static_assert(most_ranks_of_blocks * piece_step <= slot_bytes);

}  // namespace

std::uint64_t chunk_bytes(std::uint64_t message_bytes) {
  if (message_bytes <= least_chunk) {
    return least_chunk;
  }
  const std::uint64_t part = message_bytes / parts / chunk_step * chunk_step;
  return std::clamp(part, least_chunk, std::uint64_t{slot_bytes});
}

std::uint64_t block_chunk_bytes(std::uint64_t block_bytes, int ranks) {
  if (ranks < 1 || ranks > most_ranks_of_blocks) {
    throw Error(ErrorKind::usage,
                "blocks of " + std::to_string(ranks) + " ranks do not fit into a chunk; 1 to " +
                    std::to_string(most_ranks_of_blocks) + " do");
  }
  const auto n = static_cast<std::uint64_t>(ranks);
  // By the share of a chunk, not by the product of block and ranks: that could overflow.
  const std::uint64_t chunk = block_bytes > slot_bytes ? slot_bytes : chunk_bytes(block_bytes * n);
  return std::max(chunk / n / piece_step * piece_step, piece_step);
}

}  // namespace viaduct::staging
