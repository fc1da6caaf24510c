#include "collectives/shapes.hpp"

namespace viaduct::collectives {

namespace {

std::vector<Segment> expected(const Layout& layout, const Seat& seat) {
  return {reduced(layout.count, block_start(layout, seat.rank))};
}

void enqueue(Transport& transport, const OperationCall& call) {
  transport.reduce_scatter(call.send, call.recv, call.layout.count, call.datatype, call.reduction);
}

}  // namespace

const Collective& reduce_scatter() {
  static constexpr Collective entry{
      .name = "reduce_scatter",
      .size_meaning = "bytes of the input of each rank, one block for every rank",
      .factors = "algbw = S/t, busbw = algbw * (n-1)/n",
      .in_place_form =
          "the output is the rank's own block of the input; over MPI, whose own form "
          "leaves it at the start, one copy of the block is timed with it",
      .verb = "ncclReduceScatter, MPI_Reduce_scatter_block",
      .reduces = true,
      .in_place_destroys_input = true,
      .layout = scattered_layout,
      .bus_factor = share_of_others,
      .in_place = own_block_of_input,
      .expected = expected,
      .enqueue = enqueue,
  };
  return entry;
}

}  // namespace viaduct::collectives
