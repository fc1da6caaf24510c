#pragma once
// How the operations of one batch are enqueued and timed, in each mode and by each method. Knows
// nothing of what the buffers must hold.

#include "batch/case_buffers.hpp"
#include "batch/device.hpp"
#include "core/batch_spec.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace viaduct {

/// Order of use in a batch: prepare(), lead_in(), then used_places() says where the operations will
/// write, then timed().
class BatchTiming {
 public:
  BatchTiming(Device device, const CasePlan& plan, const CaseBuffers& buffers);

  /// What takes time once and must not disturb the ranks' meeting: places for marks, graphs.
  void prepare(const BatchSpec& spec);

  /// Untimed operations; none by method nccl_tests.
  void lead_in(const BatchSpec& spec);

  /// Places that the operations of timed() will write to.
  [[nodiscard]] PlaceRange used_places(const BatchSpec& spec) const;

  /// Operations of timed(), over all replays.
  [[nodiscard]] std::uint64_t operations(const BatchSpec& spec) const;

  /// Runs the operations; the times of one operation: one value, or one per operation in mode each.
  std::vector<double> timed(const BatchSpec& spec);

  /// One operation at `place`, enqueued plainly in every mode. Waits for its end.
  void run_plain(std::uint64_t place);

  /// One operation at `place`, launched as the timed ones are: in mode graph through a graph. Waits
  /// for its end.
  void run_once(std::uint64_t place);

 private:
  void prepare_graphs(std::uint64_t count);
  void align();
  void enqueue(std::uint64_t count);
  void enqueue_at(std::uint64_t place, std::uint64_t count) const;
  [[nodiscard]] std::uint64_t advanced(std::uint64_t place, std::uint64_t count) const;

  std::vector<double> time_stream(std::uint64_t count);
  std::vector<double> time_each(std::uint64_t count);
  std::vector<double> time_graph(std::uint64_t count, std::uint64_t replays);
  std::vector<double> time_as_nccl_tests(const BatchSpec& spec);
  std::vector<double> time_intervals(std::uint64_t count);

  Device device_;
  const CasePlan& plan_;
  const CaseBuffers& buffers_;
  std::uint64_t next_place_ = 0;
  std::uint64_t graph_operations_ = 0;  ///< k of the graphs held; 0: none
  std::unique_ptr<Graph> head_;         ///< aligning all_reduce, mark 0, k operations
  std::unique_ptr<Graph> body_;         ///< k operations
};

}  // namespace viaduct
