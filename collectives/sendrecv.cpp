#include "collectives/shapes.hpp"

namespace viaduct::collectives {

namespace {

int previous(int rank, int ranks) {
  return (rank + ranks - 1) % ranks;
}

int next(int rank, int ranks) {
  return (rank + 1) % ranks;
}

std::vector<Segment> expected(const Layout& layout, const Seat& seat) {
  return {copied(0, layout.count, previous(seat.rank, seat.ranks), 0)};
}

void enqueue(Transport& transport, const OperationCall& call) {
  const int rank = transport.rank();
  const int ranks = transport.size();
  transport.group_begin();
  transport.send(call.send, call.layout.count, call.datatype, next(rank, ranks));
  transport.recv(call.recv, call.layout.count, call.datatype, previous(rank, ranks));
  transport.group_end();
}

}  // namespace

const Collective& sendrecv() {
  static constexpr Collective entry{
      .name = "sendrecv",
      .size_meaning = "bytes that each rank sends to the next one of the ring",
      .factors = "algbw = S/t, busbw = algbw",
      .verb = "ncclSend and ncclRecv in one group, MPI_Sendrecv",
      .has_in_place = false,
      .layout = vector_layout,
      .bus_factor = whole_size,
      .expected = expected,
      .enqueue = enqueue,
  };
  return entry;
}

}  // namespace viaduct::collectives
