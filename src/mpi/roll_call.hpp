#pragma once
// Who is still there, asked when the others did not come to a call: rank 0 names the ranks that are
// silent, and their hosts. Knows no call.

#include "core/deadline.hpp"

#include <mpi.h>

#include <string>
#include <vector>

namespace viaduct {

class RollCall {
 public:
  /// Collective over `comm`, which outlives the object and carries nothing else under its tag.
  /// Rank 0 learns the host of each rank. Throws Error(lost) at the deadline.
  RollCall(MPI_Comm comm, int rank, int size, Deadline deadline);

  RollCall(const RollCall&) = delete;
  RollCall& operator=(const RollCall&) = delete;

  /// Every rank that gave up a call calls this; it takes `limit_s` unless all come. On rank 0:
  /// "; no sign of rank 4 on node2, rank 5 on node2", at most eight of them and how many more;
  /// empty when all gave up as well, and on the other ranks. Throws nothing.
  [[nodiscard]] std::string silent_ranks(double limit_s);

 private:
  void say_here(Deadline deadline) const;
  [[nodiscard]] std::string host_of(int rank) const;

  MPI_Comm comm_;
  int rank_;
  int size_;
  std::vector<char> hosts_;  ///< of rank 0: names of a fixed length
};

}  // namespace viaduct
