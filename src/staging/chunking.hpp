#pragma once
// Into which chunks a message is cut. Pure: both ends of a message must come to the same.

#include <cstdint>

namespace viaduct::staging {

/// Bytes of every chunk but the last of a message of so many bytes: a multiple of every element, at
/// most slot_bytes. A message of up to 256 KiB is one chunk: below that a chunk costs more to start
/// (two copies and a message, some 10 us) than the overlap of its legs can win. Above, eight chunks
/// (the first down and the last up are what does not overlap), but none larger than a slot: there
/// the cost of starting is below a few percent already.
std::uint64_t chunk_bytes(std::uint64_t message_bytes);

/// The same for one block where each of `ranks` has one and a chunk holds a piece of all of them.
/// Throws Error(usage) above most_ranks_of_blocks.
std::uint64_t block_chunk_bytes(std::uint64_t block_bytes, int ranks);

/// A piece of each rank's block, of 64 bytes at least, fits into a slot.
constexpr int most_ranks_of_blocks = 32768;

/// Chunks of a message; one for a message of nothing, which is sent as well.
constexpr std::uint64_t chunks_of(std::uint64_t message_bytes, std::uint64_t chunk) {
  return message_bytes == 0 ? 1 : (message_bytes + chunk - 1) / chunk;
}

}  // namespace viaduct::staging
