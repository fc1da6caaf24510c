#pragma once
// The three sides of the mpi engine on one communicator, and the runner of cases on them.

#include "batch/case_runner.hpp"
#include "mpi/communicator.hpp"
#include "mpi/host_memory.hpp"
#include "mpi/mpi_transport.hpp"
#include "transport/host_timeline.hpp"

#include <optional>

namespace viaduct {

class MpiDevice {
 public:
  /// Collective over `parent`, of which it takes a duplicate, or the part of the ranks with this
  /// number.
  MpiDevice(MPI_Comm parent, int local_size, Deadline deadline, std::optional<int> group = {})
      : comm_(group ? Communicator::of_group(parent, *group) : Communicator(parent, deadline)),
        memory_(local_size),
        transport_(comm_.get()),
        runner_(device()) {}

  ~MpiDevice() = default;

  MpiDevice(const MpiDevice&) = delete;
  MpiDevice& operator=(const MpiDevice&) = delete;

  [[nodiscard]] Device device() { return Device{transport_, memory_, timeline_}; }

  [[nodiscard]] CaseRunner& runner() { return runner_; }

 private:
  Communicator comm_;
  HostMemory memory_;
  HostTimeline timeline_;
  MpiTransport transport_;
  CaseRunner runner_;
};

}  // namespace viaduct
