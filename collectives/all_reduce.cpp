#include "collectives/collective.hpp"

namespace viaduct::collectives {

namespace {

double bus_factor(int ranks, const Traffic&) {
  return 2.0 * (ranks - 1) / ranks;
}

InPlaceOffsets in_place(const Layout&, int) {
  return InPlaceOffsets{.send = 0, .recv = 0};
}

std::vector<Segment> expected(const Layout& layout, const Seat&) {
  return {Segment{.kind = Segment::Kind::reduced,
                  .first = 0,
                  .count = layout.recv_elements,
                  .source = 0,
                  .source_first = 0}};
}

void enqueue(Transport& transport, const OperationCall& call) {
  transport.all_reduce(call.send, call.recv, call.layout.count, call.datatype, call.reduction);
}

}  // namespace

const Collective& all_reduce() {
  static constexpr Collective entry{
      .name = "all_reduce",
      .size_meaning = "bytes of the vector on each rank",
      .verb = "ncclAllReduce, MPI_Allreduce",
      .reduces = true,
      .in_place_destroys_input = true,
      .layout = vector_layout,
      .bus_factor = bus_factor,
      .in_place = in_place,
      .expected = expected,
      .enqueue = enqueue,
  };
  return entry;
}

}  // namespace viaduct::collectives
