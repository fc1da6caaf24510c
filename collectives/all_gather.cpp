#include "collectives/shapes.hpp"

namespace viaduct::collectives {

namespace {

void enqueue(Transport& transport, const OperationCall& call) {
  transport.all_gather(call.send, call.recv, call.layout.count, call.datatype);
}

}  // namespace

const Collective& all_gather() {
  static constexpr Collective entry{
      .name = "all_gather",
      .size_meaning = "bytes gathered on each rank in all, its own block included",
      .factors = "algbw = S/t, busbw = algbw * (n-1)/n",
      .in_place_form = "the input is the rank's own block of the output",
      .verb = "ncclAllGather, MPI_Allgather",
      .layout = gathered_layout,
      .bus_factor = share_of_others,
      .in_place = own_block_of_output,
      .expected = blocks_of_every_rank,
      .enqueue = enqueue,
  };
  return entry;
}

}  // namespace viaduct::collectives
