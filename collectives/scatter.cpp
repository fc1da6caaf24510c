#include "collectives/shapes.hpp"

namespace viaduct::collectives {

namespace {

std::vector<Segment> expected(const Layout& layout, const Seat& seat) {
  return {copied(0, layout.count, seat.root, block_start(layout, seat.rank))};
}

void enqueue(Transport& transport, const OperationCall& call) {
  transport.scatter(call.send, call.recv, call.layout.count, call.datatype, call.root);
}

}  // namespace

const Collective& scatter() {
  static constexpr Collective entry{
      .name = "scatter",
      .size_meaning = "bytes that the root scatters in all, its own block included",
      .factors = "algbw = S/t, busbw = algbw * (n-1)/n",
      .in_place_form = "the output is the rank's own block of the input",
      .verb = "ncclScatter (grouped send/recv below NCCL 2.28), MPI_Scatter",
      .has_root = true,
      .layout = scattered_layout,
      .bus_factor = share_of_others,
      .in_place = own_block_of_input,
      .expected = expected,
      .enqueue = enqueue,
  };
  return entry;
}

}  // namespace viaduct::collectives
