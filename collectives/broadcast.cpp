#include "collectives/shapes.hpp"

namespace viaduct::collectives {

namespace {

std::vector<Segment> expected(const Layout& layout, const Seat& seat) {
  return {copied(0, layout.count, seat.root, 0)};
}

void enqueue(Transport& transport, const OperationCall& call) {
  transport.broadcast(call.send, call.recv, call.layout.count, call.datatype, call.root);
}

}  // namespace

const Collective& broadcast() {
  static constexpr Collective entry{
      .name = "broadcast",
      .size_meaning = "bytes of the vector that the root sends to every rank",
      .factors = "algbw = S/t, busbw = algbw",
      .in_place_form = "the output takes the place of the input",
      .verb = "ncclBroadcast, MPI_Bcast (out of place the root's own copy is timed with it)",
      .has_root = true,
      .layout = vector_layout,
      .bus_factor = whole_size,
      .in_place = one_vector,
      .expected = expected,
      .enqueue = enqueue,
  };
  return entry;
}

}  // namespace viaduct::collectives
