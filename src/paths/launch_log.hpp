#pragma once
// The logs of one path's workers over all ranks of a launch and over all communicators that they
// make, one after the other or several at once. Ranks are those of the launch. Pure.

#include "core/group_map.hpp"
#include "paths/nccl_log.hpp"
#include "paths/nccl_log_reader.hpp"

#include <cstddef>
#include <string_view>

namespace viaduct {

class LaunchLog {
 public:
  /// Whole lines that the worker of this rank wrote while the ranks were split as `groups` says.
  /// `split` counts the splits of the launch from 0 on; lines of an earlier one than the latest are
  /// taken too.
  void take(int rank, std::size_t split, const GroupMap& groups, std::string_view lines);

  /// Lines of the latest split: what carries the cases that are measured now. Empty where `split`
  /// is later than any line.
  [[nodiscard]] const NcclLog& of_split(std::size_t split) const;

  /// All lines.
  [[nodiscard]] NcclLog whole() const;

 private:
  NcclLogReader latest_;
  NcclLog before_;         ///< of the splits before
  std::size_t split_ = 0;  ///< of latest_
};

}  // namespace viaduct
