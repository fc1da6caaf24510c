#include "collectives/shapes.hpp"

namespace viaduct::collectives {

namespace {

Layout layout(const LayoutRequest&) {
  return Layout{};
}

/// No data, no bandwidth.
double no_bandwidth(int, const Traffic&) {
  return 0;
}

std::vector<Segment> expected(const Layout&, const Seat&) {
  return {};
}

void enqueue(Transport& transport, const OperationCall&) {
  transport.barrier();
}

}  // namespace

const Collective& barrier() {
  static constexpr Collective entry{
      .name = "barrier",
      .size_meaning = "nothing: it moves no data, only its time counts",
      .factors = "no bandwidth",
      .limits = "mpi engine only",
      .verb = "MPI_Barrier",
      .has_in_place = false,
      .has_size = false,
      .layout = layout,
      .alg_factor = no_bandwidth,
      .bus_factor = no_bandwidth,
      .expected = expected,
      .enqueue = enqueue,
  };
  return entry;
}

}  // namespace viaduct::collectives
