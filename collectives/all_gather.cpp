#include "collectives/collective.hpp"

namespace viaduct::collectives {

namespace {

Layout layout(const LayoutRequest& request) {
  Layout layout;
  layout.count = block_elements(request);
  layout.send_elements = layout.count;
  layout.recv_elements = layout.count * static_cast<std::uint64_t>(request.ranks);
  layout.size_bytes = layout.recv_elements * request.element_bytes;
  return layout;
}

double bus_factor(int ranks, const Traffic&) {
  return static_cast<double>(ranks - 1) / ranks;
}

InPlaceOffsets in_place(const Layout& layout, int rank) {
  return InPlaceOffsets{.send = layout.count * static_cast<std::uint64_t>(rank), .recv = 0};
}

std::vector<Segment> expected(const Layout& layout, const Seat& seat) {
  std::vector<Segment> segments;
  for (int source = 0; source < seat.ranks; ++source) {
    segments.push_back(Segment{.kind = Segment::Kind::copied,
                               .first = layout.count * static_cast<std::uint64_t>(source),
                               .count = layout.count,
                               .source = source,
                               .source_first = 0});
  }
  return segments;
}

void enqueue(Transport& transport, const OperationCall& call) {
  transport.all_gather(call.send, call.recv, call.layout.count, call.datatype);
}

}  // namespace

const Collective& all_gather() {
  static constexpr Collective entry{
      .name = "all_gather",
      .size_meaning = "bytes gathered on each rank in all, its own block included",
      .verb = "ncclAllGather, MPI_Allgather",
      .layout = layout,
      .bus_factor = bus_factor,
      .in_place = in_place,
      .expected = expected,
      .enqueue = enqueue,
  };
  return entry;
}

}  // namespace viaduct::collectives
