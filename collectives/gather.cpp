#include "collectives/shapes.hpp"

namespace viaduct::collectives {

namespace {

std::vector<Segment> expected(const Layout& layout, const Seat& seat) {
  if (seat.rank == seat.root) {
    return blocks_of_every_rank(layout, seat);
  }
  if (seat.placement == Placement::out_of_place) {
    return {untouched(0, layout.recv_elements)};
  }
  const std::uint64_t own = block_start(layout, seat.rank);
  const std::uint64_t behind = own + layout.count;
  return {untouched(0, own),
          copied(own, layout.count, seat.rank, 0),
          untouched(behind, layout.recv_elements - behind)};
}

void enqueue(Transport& transport, const OperationCall& call) {
  transport.gather(call.send, call.recv, call.layout.count, call.datatype, call.root);
}

}  // namespace

const Collective& gather() {
  static constexpr Collective entry{
      .name = "gather",
      .size_meaning = "bytes gathered at the root in all, its own block included",
      .factors = "algbw = S/t, busbw = algbw * (n-1)/n",
      .in_place_form = "the input is the rank's own block of the output",
      .verb = "ncclGather (grouped send/recv below NCCL 2.28), MPI_Gather",
      .has_root = true,
      .layout = gathered_layout,
      .bus_factor = share_of_others,
      .in_place = own_block_of_output,
      .expected = expected,
      .enqueue = enqueue,
  };
  return entry;
}

}  // namespace viaduct::collectives
