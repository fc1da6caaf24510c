#include "collectives/shapes.hpp"

namespace viaduct::collectives {

namespace {

std::vector<Segment> expected(const Layout& layout, const Seat& seat) {
  std::vector<Segment> segments;
  for (int source = 0; source < seat.ranks; ++source) {
    segments.push_back(
        copied(block_start(layout, source), layout.count, source, block_start(layout, seat.rank)));
  }
  return segments;
}

void enqueue(Transport& transport, const OperationCall& call) {
  transport.alltoall(call.send, call.recv, call.layout.count, call.datatype);
}

}  // namespace

const Collective& alltoall() {
  static constexpr Collective entry{
      .name = "alltoall",
      .size_meaning = "bytes that each rank sends in all, the block to itself included",
      .factors = "algbw = S/t, busbw = algbw * (n-1)/n",
      .in_place_form = "the output takes the place of the input; mpi engine only",
      .verb = "ncclAlltoAll (grouped send/recv below NCCL 2.28), MPI_Alltoall",
      .in_place_destroys_input = true,
      .layout = exchanged_layout,
      .bus_factor = share_of_others,
      .in_place = one_vector,
      .expected = expected,
      .enqueue = enqueue,
  };
  return entry;
}

}  // namespace viaduct::collectives
