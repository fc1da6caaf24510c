// Messages between two ranks in both directions at once.

#include "collectives/pair_shapes.hpp"
#include "collectives/shapes.hpp"

namespace viaduct::collectives {

namespace {

double both_directions(int, const Traffic&) {
  return 2.0;
}

std::string why_not(int ranks, const Traffic&) {
  return why_not_two("pair_bidirectional", ranks);
}

std::vector<Segment> expected(const Layout& layout, const Seat& seat) {
  return messages_from(layout, partner_of(seat.rank, seat.ranks));
}

void enqueue(Transport& transport, const OperationCall& call) {
  const std::optional<int> partner = partner_of(transport.rank(), transport.size());
  enqueue_window(transport, call, WindowPeers{.to = partner, .from = partner});
}

}  // namespace

const Collective& pair_bidirectional() {
  static constexpr Collective entry{
      .name = "pair_bidirectional",
      .size_meaning = "bytes of a message in each of the two directions",
      .factors = "algbw = 2*S/t (both directions), busbw = algbw",
      .limits = "two ranks",
      .verb = "ncclSend and ncclRecv in one group, MPI_Sendrecv (MPI_Isend, MPI_Irecv in a window)",
      .has_in_place = false,
      .is_pairwise = true,
      .default_window = 1,
      .layout = message_layout,
      .alg_factor = both_directions,
      .bus_factor = both_directions,
      .time_share = share_of_window,
      .why_not = why_not,
      .expected = expected,
      .enqueue = enqueue,
  };
  return entry;
}

}  // namespace viaduct::collectives
