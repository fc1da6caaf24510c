#include "collectives/collective.hpp"

namespace viaduct::collectives {

namespace {

double bus_factor(int, const Traffic&) {
  return 1.0;
}

int previous(int rank, int ranks) {
  return (rank + ranks - 1) % ranks;
}

int next(int rank, int ranks) {
  return (rank + 1) % ranks;
}

std::vector<Segment> expected(const Layout& layout, const Seat& seat) {
  return {Segment{.kind = Segment::Kind::copied,
                  .first = 0,
                  .count = layout.recv_elements,
                  .source = previous(seat.rank, seat.ranks),
                  .source_first = 0}};
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
      .verb = "ncclSend and ncclRecv in one group, MPI_Sendrecv",
      .has_in_place = false,
      .layout = vector_layout,
      .bus_factor = bus_factor,
      .expected = expected,
      .enqueue = enqueue,
  };
  return entry;
}

}  // namespace viaduct::collectives
