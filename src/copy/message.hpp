#pragma once
// One message of a case: its two buffers, its stream, the call that moves it. Must not know how it
// is timed.

#include "copy/copy_stream.hpp"
#include "copy/pinned_relay.hpp"
#include "core/copy_operation.hpp"
#include "core/pattern.hpp"
#include "transport/memory.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace viaduct {

/// What every message of a case has in common.
struct MessageFrame {
  const CopyOperation& operation;
  std::uint64_t bytes = 0;
  std::uint64_t slots = 1;
  std::uint64_t seed = 1;
};

/// Memory on one GPU, of one message.
struct MessageNeeds {
  int gpu = 0;
  std::uint64_t fixed_bytes = 0;
  std::uint64_t slot_bytes = 0;
};

std::vector<MessageNeeds> needs_of(const CopyMessage& message, std::uint64_t bytes);

class Message {
 public:
  /// Takes its memory and fills the source. Throws Error(cuda) that says what could not be had.
  Message(GpuSet& gpus, const CopyMessage& message, const MessageFrame& frame);

  [[nodiscard]] CopyStream& stream() { return stream_; }

  /// Null where no host memory of ours lies between.
  [[nodiscard]] PinnedRelay* relay() { return relay_ ? &*relay_ : nullptr; }

  /// One copy into the slot, on its stream.
  void enqueue(std::uint64_t slot);

  /// Each leg alone, of a whole message.
  void enqueue_down();
  void enqueue_up();

  /// Targets of the first `slots` are made unlike the source; done on return.
  void poison(std::uint64_t slots);

  /// Bytes of the first `slots` that are not right.
  std::uint64_t count_wrong(std::uint64_t slots);

 private:
  /// Memory of one end, of a GPU or of the host.
  struct Side {
    int gpu = CopyEnds::none;
    std::unique_ptr<Buffer> on_gpu;
    PinnedBytes pinned;
    std::vector<unsigned char> pageable;

    [[nodiscard]] unsigned char* data();
  };

  Side make_side(int gpu, std::uint64_t bytes) const;
  void fill_source();
  std::uint64_t wrong_in(unsigned char* target);
  [[nodiscard]] unsigned char* target(std::uint64_t slot);

  GpuSet& gpus_;
  CopyMessage message_;
  MessageFrame frame_;
  CopyStream stream_;
  Side source_;
  Side target_;
  std::unique_ptr<Buffer> scratch_;  ///< on the owner, where one end is host memory
  std::optional<PinnedRelay> relay_;
};

}  // namespace viaduct
