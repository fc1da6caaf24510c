#pragma once
// Whether the ranks that a launcher started on this host have come and gone. Ends nothing.

#include <string>
#include <sys/types.h>

namespace viaduct {

/// mpirun does not end when a host that it has messages for does not answer, even after every rank
/// that it reaches has ended: TCP goes on sending for a quarter of an hour.
class RankWatch {
 public:
  explicit RankWatch(std::string rank_program = "viaduct-rank")
      : rank_program_(std::move(rank_program)) {}

  /// True once children of `launcher` with the program's name were seen and none is left. Never
  /// true where the ranks are another process's children (srun), or the kernel lists no children.
  bool ranks_have_ended(pid_t launcher);

 private:
  std::string rank_program_;
  bool has_seen_ranks_ = false;
};

}  // namespace viaduct
