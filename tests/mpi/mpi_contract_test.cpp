#include "contract/case_contract.hpp"
#include "contract/transport_contract.hpp"
#include "contract/verb_contract.hpp"
#include "mpi/mpi_device.hpp"

namespace viaduct {

namespace {

/// This process is one rank of the job.
struct MpiHarness {
  static void run(const std::function<void(Device)>& body) {
    MpiDevice device(Communicator(MPI_COMM_WORLD, Deadline::after(60)), 4);
    body(device.device());
  }
};

/// No call of MPI takes more than 1000 elements: chunks and derived datatypes everywhere.
struct SmallCountHarness {
  static void run(const std::function<void(Device)>& body) {
    const Communicator comm(MPI_COMM_WORLD, Deadline::after(60));
    MpiTransport transport(comm.get(), 1000);
    HostMemory memory(4);
    HostTimeline timeline;
    body(Device{transport, memory, timeline});
  }
};

INSTANTIATE_TYPED_TEST_SUITE_P(Mpi, TransportContract, MpiHarness);
INSTANTIATE_TYPED_TEST_SUITE_P(Mpi, VerbContract, MpiHarness);
INSTANTIATE_TYPED_TEST_SUITE_P(Mpi, CaseContract, MpiHarness);
INSTANTIATE_TYPED_TEST_SUITE_P(MpiSmallCounts, TransportContract, SmallCountHarness);
INSTANTIATE_TYPED_TEST_SUITE_P(MpiSmallCounts, VerbContract, SmallCountHarness);
INSTANTIATE_TYPED_TEST_SUITE_P(MpiSmallCounts, CaseContract, SmallCountHarness);

}  // namespace

}  // namespace viaduct
