#include "collectives/shapes.hpp"

namespace viaduct::collectives {

namespace {

double bus_factor(int ranks, const Traffic&) {
  return 2.0 * (ranks - 1) / ranks;
}

std::vector<Segment> expected(const Layout& layout, const Seat&) {
  return {reduced(layout.recv_elements, 0)};
}

void enqueue(Transport& transport, const OperationCall& call) {
  transport.all_reduce(call.send, call.recv, call.layout.count, call.datatype, call.reduction);
}

}  // namespace

const Collective& all_reduce() {
  static constexpr Collective entry{
      .name = "all_reduce",
      .size_meaning = "bytes of the vector on each rank",
      .factors = "algbw = S/t, busbw = algbw * 2(n-1)/n",
      .in_place_form = "the output takes the place of the input",
      .verb = "ncclAllReduce, MPI_Allreduce",
      .reduces = true,
      .in_place_destroys_input = true,
      .layout = vector_layout,
      .bus_factor = bus_factor,
      .in_place = one_vector,
      .expected = expected,
      .enqueue = enqueue,
  };
  return entry;
}

}  // namespace viaduct::collectives
