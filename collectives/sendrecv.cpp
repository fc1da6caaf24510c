#include "collectives/collective.hpp"

namespace viaduct::collectives {

namespace {

Layout layout(std::uint64_t size_bytes, std::size_t element_bytes, int, Method method) {
  return vector_layout(size_bytes, element_bytes, method);
}

double bus_factor(int) {
  return 1.0;
}

int previous(int rank, int ranks) {
  return (rank + ranks - 1) % ranks;
}

int next(int rank, int ranks) {
  return (rank + 1) % ranks;
}

std::vector<Segment> expected(const Layout& layout, int rank, int ranks, int) {
  return {Segment{.kind = Segment::Kind::copied,
                  .first = 0,
                  .count = layout.recv_elements,
                  .source = previous(rank, ranks),
                  .source_first = 0}};
}

void enqueue(Transport& transport, const OperationCall& call) {
  const int rank = transport.rank();
  const int ranks = transport.size();
  transport.group_begin();
  transport.send(call.send, call.count, call.datatype, next(rank, ranks));
  transport.recv(call.recv, call.count, call.datatype, previous(rank, ranks));
  transport.group_end();
}

}  // namespace

const Collective& sendrecv() {
  static constexpr Collective entry{
      .name = "sendrecv",
      .size_meaning = "bytes that each rank sends to the next one of the ring",
      .verb = "ncclSend and ncclRecv in one group, MPI_Sendrecv",
      .has_in_place = false,
      .layout = layout,
      .bus_factor = bus_factor,
      .expected = expected,
      .enqueue = enqueue,
  };
  return entry;
}

}  // namespace viaduct::collectives
