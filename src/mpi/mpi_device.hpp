#pragma once
// The three sides of the mpi engine on one communicator, and the runner of cases on them.

#include "batch/case_runner.hpp"
#include "mpi/communicator.hpp"
#include "mpi/host_memory.hpp"
#include "mpi/mpi_transport.hpp"
#include "transport/host_timeline.hpp"

#include <utility>

namespace viaduct {

class MpiDevice {
 public:
  /// `comm`: one that this rank is in.
  MpiDevice(Communicator comm, int local_size)
      : comm_(std::move(comm)),
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
