#include "collectives/shapes.hpp"

namespace viaduct::collectives {

namespace {

std::vector<Segment> expected(const Layout& layout, const Seat& seat) {
  if (seat.rank == seat.root) {
    return {reduced(layout.count, 0)};
  }
  return {seat.placement == Placement::in_place ? copied(0, layout.count, seat.rank, 0)
                                                : untouched(0, layout.count)};
}

void enqueue(Transport& transport, const OperationCall& call) {
  transport.reduce(
      call.send, call.recv, call.layout.count, call.datatype, call.reduction, call.root);
}

}  // namespace

const Collective& reduce() {
  static constexpr Collective entry{
      .name = "reduce",
      .size_meaning = "bytes of the vector on each rank",
      .factors = "algbw = S/t, busbw = algbw",
      .in_place_form = "the root's output takes the place of its input",
      .verb = "ncclReduce, MPI_Reduce",
      .reduces = true,
      .has_root = true,
      .in_place_destroys_input = true,
      .layout = vector_layout,
      .bus_factor = whole_size,
      .in_place = one_vector,
      .expected = expected,
      .enqueue = enqueue,
  };
  return entry;
}

}  // namespace viaduct::collectives
