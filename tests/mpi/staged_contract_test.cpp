#include "contract/case_contract.hpp"
#include "contract/transport_contract.hpp"
#include "contract/verb_contract.hpp"
#include "mpi/communicator.hpp"
#include "mpi/host_memory.hpp"
#include "mpi/mpi_types.hpp"
#include "staged/task_server.hpp"
#include "staging/staged_transport.hpp"
#include "support/loopback_copies.hpp"
#include "transport/host_timeline.hpp"

#include <sched.h>

namespace viaduct {

namespace {

/// What the lane adds on the rank's side.
class LimitedTransport : public staging::StagedTransport {
 public:
  using StagedTransport::StagedTransport;

  [[nodiscard]] std::string why_not(const Case& c, bool reduces) const override {
    std::string reason = StagedTransport::why_not(c, reduces);
    return reason.empty() && reduces ? why_not_reduce(c.datatype, c.reduction) : reason;
  }
};

/// Worker and rank in one process: while the transport waits, the server goes on.
struct StagedHarness {
  static void run(const std::function<void(Device)>& body) {
    const Communicator comm(MPI_COMM_WORLD, Deadline::after(60));
    const staging::SharedBlock block = staging::SharedBlock::create();
    TaskServer server(block, comm.get());
    loopback::Copies copies([&server] {
      // Ranks may be more than cores.
      if (!server.serve()) {
        sched_yield();
      }
    });
    LimitedTransport transport(block, copies, {.rank = comm.rank(), .ranks = comm.size()});
    HostMemory memory(4);
    HostTimeline timeline;
    body(Device{transport, memory, timeline});
    EXPECT_EQ(server.under_way(), 0U);
  }
};

INSTANTIATE_TYPED_TEST_SUITE_P(Staged, TransportContract, StagedHarness);
INSTANTIATE_TYPED_TEST_SUITE_P(Staged, VerbContract, StagedHarness);
INSTANTIATE_TYPED_TEST_SUITE_P(Staged, CaseContract, StagedHarness);

/// Many chunks of every kind, the last one short.
TEST(StagedSizes, OperationsOfManyChunksAreRight) {
  StagedHarness::run([](Device device) {
    for (const Collective* entry : collectives::all()) {
      for (const Placement placement : {Placement::out_of_place, Placement::in_place}) {
        Case c;
        c.operation = entry->name;
        c.size_bytes = 3'000'004;
        c.placement = placement;
        c.root = device.transport.size() - 1;
        run_contract_case(device, c, Method::viaduct);
      }
    }
  });
}

}  // namespace

}  // namespace viaduct
