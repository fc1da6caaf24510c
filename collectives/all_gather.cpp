#include "collectives/collective.hpp"

namespace viaduct::collectives {

namespace {

Layout layout(std::uint64_t size_bytes, std::size_t element_bytes, int ranks, Method method) {
  const std::uint64_t block = block_elements(size_bytes, element_bytes, ranks, method);
  const std::uint64_t gathered = block * static_cast<std::uint64_t>(ranks);
  return Layout{.size_bytes = gathered * element_bytes,
                .count = block,
                .send_elements = block,
                .recv_elements = gathered};
}

double bus_factor(int ranks) {
  return static_cast<double>(ranks - 1) / ranks;
}

InPlaceOffsets in_place(const Layout& layout, int rank) {
  return InPlaceOffsets{.send = layout.count * static_cast<std::uint64_t>(rank), .recv = 0};
}

std::vector<Segment> expected(const Layout& layout, int, int ranks, int) {
  std::vector<Segment> segments;
  for (int source = 0; source < ranks; ++source) {
    segments.push_back(Segment{.kind = Segment::Kind::copied,
                               .first = layout.count * static_cast<std::uint64_t>(source),
                               .count = layout.count,
                               .source = source,
                               .source_first = 0});
  }
  return segments;
}

void enqueue(Transport& transport, const OperationCall& call) {
  transport.all_gather(call.send, call.recv, call.count, call.datatype);
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
