#include "contract/transport_contract.hpp"
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

using Loopbacks = testing::Types<LoopbackHarness<1>, LoopbackHarness<3>>;

INSTANTIATE_TYPED_TEST_SUITE_P(Loopback, TransportContract, Loopbacks);

}  // namespace

}  // namespace viaduct
