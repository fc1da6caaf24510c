#include "contract/case_contract.hpp"
#include "contract/transport_contract.hpp"
#include "contract/verb_contract.hpp"
#include "support/loopback_device.hpp"

namespace viaduct {

namespace {

template <int ranks>
struct LoopbackHarness {
  static void run(const std::function<void(Device)>& body) {
    loopback::run_ranks(ranks, [&](loopback::World& world, int rank) {
      loopback::Rank self(world, rank);
      body(self.device());
    });
  }
};

using Loopbacks = testing::Types<LoopbackHarness<1>, LoopbackHarness<3>, LoopbackHarness<4>>;

INSTANTIATE_TYPED_TEST_SUITE_P(Loopback, TransportContract, Loopbacks);
INSTANTIATE_TYPED_TEST_SUITE_P(Loopback, VerbContract, Loopbacks);
INSTANTIATE_TYPED_TEST_SUITE_P(Loopback, CaseContract, Loopbacks);

}  // namespace

}  // namespace viaduct
