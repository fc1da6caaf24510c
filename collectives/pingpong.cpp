// A message from rank 0 to rank 1 and one back, which is sent when the first has come.

#include "collectives/pair_shapes.hpp"
#include "collectives/shapes.hpp"

namespace viaduct::collectives {

namespace {

/// Of a round trip.
double one_way(int) {
  return 0.5;
}

std::string why_not(int ranks, const Traffic&) {
  return why_not_two("pingpong", ranks);
}

std::vector<Segment> expected(const Layout& layout, const Seat& seat) {
  return messages_from(layout, partner_of(seat.rank, seat.ranks));
}

void enqueue(Transport& transport, const OperationCall& call) {
  const int peer = 1 - transport.rank();
  if (transport.rank() == 0) {
    transport.send(call.send, call.layout.count, call.datatype, peer);
    transport.recv(call.recv, call.layout.count, call.datatype, peer);
  } else {
    transport.recv(call.recv, call.layout.count, call.datatype, peer);
    transport.send(call.send, call.layout.count, call.datatype, peer);
  }
}

}  // namespace

const Collective& pingpong() {
  static constexpr Collective entry{
      .name = "pingpong",
      .size_meaning = "bytes of the message, which goes to and fro; the time is one way",
      .factors = "t = round trip / 2; algbw = S/t, busbw = algbw",
      .limits = "two ranks",
      .verb = "ncclSend and ncclRecv one after the other, MPI_Send and MPI_Recv",
      .has_in_place = false,
      .is_pairwise = true,
      .shows_distribution = true,
      .layout = vector_layout,
      .bus_factor = whole_size,
      .time_share = one_way,
      .why_not = why_not,
      .expected = expected,
      .enqueue = enqueue,
  };
  return entry;
}

}  // namespace viaduct::collectives
