#include "copy/pinned_relay.hpp"

#include "cuda/cuda_error.hpp"

#include <algorithm>

namespace viaduct {

namespace {

/// Large enough that the cost of a copy call vanishes, small enough that the legs overlap.
constexpr std::uint64_t chunk_bytes = std::uint64_t{2} << 20U;
constexpr std::size_t chunk_count = 8;

void wait_for(cudaStream_t stream, const EventHandle& event) {
  check(cudaStreamWaitEvent(stream, event.get(), 0), "cudaStreamWaitEvent");
}

/// Calls piece(chunk number, offset, bytes) for each piece.
template <typename Piece>
void for_each_piece(std::uint64_t bytes, const Piece& piece) {
  std::size_t number = 0;
  for (std::uint64_t at = 0; at < bytes; at += chunk_bytes) {
    piece(number++ % chunk_count, at, std::min(chunk_bytes, bytes - at));
  }
}

}  // namespace

void HostMemoryDeleter::operator()(unsigned char* memory) const noexcept {
  static_cast<void>(cudaFreeHost(memory));
}

PinnedBytes allocate_pinned(std::uint64_t bytes) {
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, std::max<std::uint64_t>(bytes, 1), cudaHostAllocPortable),
        "cudaHostAlloc");
  return PinnedBytes(static_cast<unsigned char*>(memory));
}

PinnedRelay::PinnedRelay(GpuSet& gpus, CopyStream& sender, int receiver)
    : sender_(sender),
      receiver_(gpus, receiver),
      memory_(allocate_pinned(host_bytes())),
      chunks_(chunk_count) {
  for (std::size_t i = 0; i < chunk_count; ++i) {
    chunks_[i].at = memory_.get() + i * chunk_bytes;
    chunks_[i].filled = sender_.make_mark();
    chunks_[i].emptied = receiver_.make_mark();
  }
}

std::uint64_t PinnedRelay::host_bytes() {
  return chunk_bytes * chunk_count;
}

void PinnedRelay::enqueue(void* to, const void* from, std::uint64_t bytes) {
  for_each_piece(bytes, [&](std::size_t number, std::uint64_t at, std::uint64_t piece) {
    Chunk& chunk = chunks_[number];
    sender_.use();
    if (chunk.is_used) {
      wait_for(sender_.get(), chunk.emptied);
    }
    check(cudaMemcpyAsync(chunk.at,
                          static_cast<const unsigned char*>(from) + at,
                          piece,
                          cudaMemcpyDeviceToHost,
                          sender_.get()),
          "cudaMemcpyAsync");
    sender_.record(chunk.filled);
    receiver_.use();
    wait_for(receiver_.get(), chunk.filled);
    check(cudaMemcpyAsync(static_cast<unsigned char*>(to) + at,
                          chunk.at,
                          piece,
                          cudaMemcpyHostToDevice,
                          receiver_.get()),
          "cudaMemcpyAsync");
    receiver_.record(chunk.emptied);
    chunk.is_used = true;
  });
  sender_.follow(receiver_);
}

void PinnedRelay::enqueue_down(const void* from, std::uint64_t bytes) {
  sender_.use();
  for_each_piece(bytes, [&](std::size_t number, std::uint64_t at, std::uint64_t piece) {
    check(cudaMemcpyAsync(chunks_[number].at,
                          static_cast<const unsigned char*>(from) + at,
                          piece,
                          cudaMemcpyDeviceToHost,
                          sender_.get()),
          "cudaMemcpyAsync");
  });
}

void PinnedRelay::enqueue_up(void* to, std::uint64_t bytes) {
  receiver_.use();
  for_each_piece(bytes, [&](std::size_t number, std::uint64_t at, std::uint64_t piece) {
    check(cudaMemcpyAsync(static_cast<unsigned char*>(to) + at,
                          chunks_[number].at,
                          piece,
                          cudaMemcpyHostToDevice,
                          receiver_.get()),
          "cudaMemcpyAsync");
  });
}

}  // namespace viaduct
