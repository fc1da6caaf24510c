#pragma once
// The copies of the staged path by CUDA: one stream down and one up on the current device, and the
// slots pinned. Must not know MPI.

#include "cuda/handles.hpp"
#include "staging/device_copies.hpp"
#include "staging/shared_block.hpp"

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace viaduct {

/// Page-locked as long as it lives. Throws Error(cuda).
class PinnedPages {
 public:
  PinnedPages(void* first, std::size_t bytes);
  ~PinnedPages();

  PinnedPages(const PinnedPages&) = delete;
  PinnedPages& operator=(const PinnedPages&) = delete;

 private:
  void* first_;
};

/// Lives on the device that is current at construction; used from one thread.
class StagingCopies : public staging::DeviceCopies {
 public:
  /// Takes the pages of the block and pins them: this thread's CPU mask decides on which NUMA node
  /// they lie. The block outlives this.
  explicit StagingCopies(const staging::SharedBlock& block);

  std::uint64_t start_down(void* host, const staging::DeviceRows& from) override;
  std::uint64_t start_up(const staging::DeviceRows& to, const void* host) override;

  bool is_down_done(std::uint64_t ticket) override { return down_.is_done(ticket); }

  bool is_up_done(std::uint64_t ticket) override { return up_.is_done(ticket); }

  void copy_within(const void* from, void* to, std::size_t bytes) override;
  void pause(std::uint64_t waits) override;

 private:
  /// Copies of one direction.
  class Direction {
   public:
    Direction();

    [[nodiscard]] cudaStream_t stream() const { return stream_.get(); }

    /// The copies that were enqueued since the last call have this ticket.
    std::uint64_t mark();

    bool is_done(std::uint64_t ticket);

   private:
    /// No more are under way than there are slots for.
    static constexpr std::size_t marks = staging::slots_each_way * 2;

    StreamHandle stream_;
    std::array<EventHandle, marks> events_;
    std::uint64_t next_ = 0;
    std::uint64_t done_ = 0;  ///< tickets below are
  };

  PinnedPages pages_;
  Direction down_;
  Direction up_;
};

}  // namespace viaduct
