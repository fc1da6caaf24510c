// Messages from one rank to one other: what one direction of a link carries.

#include "collectives/pair_shapes.hpp"
#include "collectives/shapes.hpp"

namespace viaduct::collectives {

namespace {

std::string why_not(int ranks, const Traffic&) {
  return why_not_two("pair_unidirectional", ranks);
}

/// The root sends.
WindowPeers peers_of(const Seat& seat) {
  const std::optional<int> partner = partner_of(seat.rank, seat.ranks);
  WindowPeers peers;
  if (seat.rank == seat.root) {
    peers.to = partner;
  } else if (partner == seat.root) {
    peers.from = partner;
  }
  return peers;
}

std::vector<Segment> expected(const Layout& layout, const Seat& seat) {
  return messages_from(layout, peers_of(seat).from);
}

void enqueue(Transport& transport, const OperationCall& call) {
  const Seat seat{.rank = transport.rank(), .ranks = transport.size(), .root = call.root};
  enqueue_window(transport, call, peers_of(seat));
}

}  // namespace

const Collective& pair_unidirectional() {
  static constexpr Collective entry{
      .name = "pair_unidirectional",
      .size_meaning = "bytes of a message from the root to the other rank",
      .factors = "algbw = S/t, busbw = algbw",
      .limits = "two ranks",
      .verb = "ncclSend and ncclRecv, MPI_Send and MPI_Recv (MPI_Isend, MPI_Irecv in a window)",
      .has_root = true,
      .has_in_place = false,
      .is_pairwise = true,
      .default_window = 1,
      .layout = message_layout,
      .bus_factor = whole_size,
      .time_share = share_of_window,
      .why_not = why_not,
      .expected = expected,
      .enqueue = enqueue,
  };
  return entry;
}

}  // namespace viaduct::collectives
