#pragma once
// The bytes of a few large batches of each lane, counted by the hardware: which batches, how many
// operations ran in them, what all ranks sent together. Knows nothing of what the count means.

#include "core/group_map.hpp"
#include "measure/batch_step.hpp"
#include "measure/case_watch.hpp"
#include "measure/step.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace viaduct {

class ByteCount {
 public:
  /// `watch` may be null: nothing is counted.
  ByteCount(CaseWatch* watch, Steps& steps, const GroupMap& groups, Method method)
      : watch_(watch),
        steps_(steps),
        groups_(groups),
        method_(method) {}

  /// A new case on so many lanes.
  void begin(std::size_t lanes);

  /// Before a batch of operations of `size_bytes` each; the same on every rank.
  void before(std::size_t lane, const BatchOrder& order, std::uint64_t size_bytes);

  /// After it, when every rank has ended it. `batch` empty: the lane was lost.
  void after(std::size_t lane, const BatchOrder& order, const std::optional<AgreedBatch>& batch);

  /// Ranks add up: by lane, then by group; empty where nothing was counted.
  [[nodiscard]] std::vector<std::vector<std::optional<SentBytes>>> agree();

 private:
  struct Lane {
    int batches = 0;
    std::uint64_t operations = 0;
    WireBytes own = no_wire_bytes();
  };

  CaseWatch* watch_;
  Steps& steps_;
  const GroupMap& groups_;
  Method method_;
  std::vector<Lane> lanes_;
  bool counts_ = false;  ///< the batch under way
};

}  // namespace viaduct
