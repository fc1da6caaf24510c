#pragma once
// The records of pairs of ranks as series that can be judged and laid out as matrices. Measures and
// judges nothing.

#include "pairs/host_layout.hpp"
#include "pairs/pair_series.hpp"
#include "report/result_reader.hpp"

#include <vector>

namespace viaduct {

/// What one series was measured with, for records made from it.
struct MeasuredSeries {
  PairSeries series;
  Engine engine = Engine::nccl;
};

/// Whether `viaduct run pairs` made the result.
bool is_of_pairs(const Manifest& manifest);

/// Hosts as the manifest tells them apart: by name and boot, ranks in its order.
HostLayout layout_of_ranks(const Manifest& manifest);

/// Takes records as they come. One series for each path, pattern, size, mode, datatype and window:
/// us of one way for pingpong, million messages a second for message_rate, else GB/s. Records
/// without numbers or without both ranks are left out.
class PairRecords {
 public:
  void add(const Measurement& m);

  [[nodiscard]] const std::vector<MeasuredSeries>& all() const { return series_; }

 private:
  std::vector<MeasuredSeries> series_;
  std::vector<Measurement> firsts_;  ///< of each series: without its numbers
};

}  // namespace viaduct
