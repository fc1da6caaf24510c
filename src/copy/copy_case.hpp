#pragma once
// A case of the copy engine that holds its memory: the first copy, then batches, timed and
// compared.

#include "copy/copy_stream.hpp"
#include "copy/flag_pingpong.hpp"
#include "copy/message.hpp"
#include "copy/spin_gate.hpp"
#include "core/batch_spec.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace viaduct {

/// Counts, memory and the reason why the case cannot run on this path or host.
CaseDescription describe_copy(GpuSet& gpus, const Case& c, const BufferSpec& buffers);

class CopyCase {
 public:
  /// Takes memory and fills it. `gpus` outlives this. Throws Error(cuda).
  CopyCase(GpuSet& gpus, const OpenSpec& spec);

  OpenResult run_first();

  /// stream: one sample, the mean over the batch; each: one for every operation. The launches stand
  /// behind a spinning kernel, in segments, so that they cost nothing of what is timed; copies from
  /// and to pageable memory, which the host itself takes part in, do not.
  BatchResult run(const BatchSpec& spec);

 private:
  void enqueue(std::uint64_t operation);
  void reconnect_pairs();
  void enqueue_as_sample(std::uint64_t operations);
  [[nodiscard]] std::uint64_t slots_used(std::uint64_t operations) const;
  double timed_segment(std::uint64_t first, std::uint64_t operations);
  double timed(const std::function<void()>& work);
  std::vector<double> timed_batch(const BatchSpec& spec);
  std::vector<double> enqueue_times(std::uint64_t operations);
  std::vector<double> leg_times();
  void lead_in(std::uint64_t operations);
  std::uint64_t count_wrong(std::uint64_t slots);

  GpuSet& gpus_;
  OpenSpec spec_;
  const CopyOperation& operation_;
  std::vector<std::unique_ptr<Message>> messages_;
  std::unique_ptr<FlagPingPong> flags_;
  std::optional<SpinGate> gate_;
  EventHandle begin_;
  EventHandle end_;
  std::uint64_t segment_;  ///< operations behind one spin
};

}  // namespace viaduct
