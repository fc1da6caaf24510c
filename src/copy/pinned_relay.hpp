#pragma once
// From one GPU to another through page-locked host memory, in chunks of which one goes up while the
// next comes down: what a program without peer access would write by hand.

#include "copy/copy_stream.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace viaduct {

struct HostMemoryDeleter {
  void operator()(unsigned char* memory) const noexcept;
};

using PinnedBytes = std::unique_ptr<unsigned char, HostMemoryDeleter>;

/// Throws Error(cuda). Usable by every GPU.
PinnedBytes allocate_pinned(std::uint64_t bytes);

class PinnedRelay {
 public:
  /// `sender`: the stream, on the GPU that holds the data, behind which a copy counts as done.
  PinnedRelay(GpuSet& gpus, CopyStream& sender, int receiver);

  /// Host memory that it holds.
  static std::uint64_t host_bytes();

  void enqueue(void* to, const void* from, std::uint64_t bytes);

  /// Each leg by itself, in the same chunks: on the sender's stream.
  void enqueue_down(const void* from, std::uint64_t bytes);
  void enqueue_up(void* to, std::uint64_t bytes);

  [[nodiscard]] CopyStream& receiver() { return receiver_; }

 private:
  struct Chunk {
    unsigned char* at = nullptr;
    EventHandle filled;   ///< of the sender
    EventHandle emptied;  ///< of the receiver
    bool is_used = false;
  };

  CopyStream& sender_;
  CopyStream receiver_;
  PinnedBytes memory_;
  std::vector<Chunk> chunks_;
};

}  // namespace viaduct
