#include "collectives/shapes.hpp"

#include <algorithm>

namespace viaduct::collectives {

namespace {

/// Elements of a size that is not zero: one at least, so that small sizes measure something.
std::uint64_t at_least_one(std::uint64_t elements, const LayoutRequest& request) {
  return request.size_bytes > 0 && request.method == Method::viaduct
             ? std::max<std::uint64_t>(elements, 1)
             : elements;
}

}  // namespace

Layout vector_layout(const LayoutRequest& request) {
  Layout layout;
  layout.count = at_least_one(request.size_bytes / request.element_bytes, request);
  layout.size_bytes = layout.count * request.element_bytes;
  layout.send_elements = layout.count;
  layout.recv_elements = layout.count;
  return layout;
}

Layout exchanged_layout(const LayoutRequest& request) {
  Layout layout;
  layout.count = block_elements(request);
  layout.send_elements = layout.count * static_cast<std::uint64_t>(request.ranks);
  layout.recv_elements = layout.send_elements;
  layout.size_bytes = layout.send_elements * request.element_bytes;
  return layout;
}

Layout gathered_layout(const LayoutRequest& request) {
  Layout layout = exchanged_layout(request);
  layout.send_elements = layout.count;
  return layout;
}

Layout scattered_layout(const LayoutRequest& request) {
  Layout layout = exchanged_layout(request);
  layout.recv_elements = layout.count;
  return layout;
}

std::uint64_t block_elements(const LayoutRequest& request) {
  const auto ranks = static_cast<std::uint64_t>(request.ranks);
  const std::uint64_t elements = request.size_bytes / request.element_bytes / ranks;
  return at_least_one(rounded_block(elements, request), request);
}

std::uint64_t rounded_block(std::uint64_t elements, const LayoutRequest& request) {
  constexpr std::uint64_t block_alignment = 16;
  const std::uint64_t unit = block_alignment / request.element_bytes;
  const std::uint64_t rounded = elements / unit * unit;
  return rounded == 0 && request.method == Method::viaduct ? elements : rounded;
}

double whole_size(int, const Traffic&) {
  return 1.0;
}

double share_of_others(int ranks, const Traffic&) {
  return static_cast<double>(ranks - 1) / ranks;
}

InPlaceOffsets one_vector(const Layout&, int) {
  return InPlaceOffsets{.send = 0, .recv = 0};
}

InPlaceOffsets own_block_of_output(const Layout& layout, int rank) {
  return InPlaceOffsets{.send = block_start(layout, rank), .recv = 0};
}

InPlaceOffsets own_block_of_input(const Layout& layout, int rank) {
  return InPlaceOffsets{.send = 0, .recv = block_start(layout, rank)};
}

Segment copied(std::uint64_t first, std::uint64_t count, int source, std::uint64_t source_first) {
  return Segment{.kind = Segment::Kind::copied,
                 .first = first,
                 .count = count,
                 .source = source,
                 .source_first = source_first};
}

Segment reduced(std::uint64_t count, std::uint64_t source_first) {
  return Segment{.kind = Segment::Kind::reduced,
                 .first = 0,
                 .count = count,
                 .source = 0,
                 .source_first = source_first};
}

Segment untouched(std::uint64_t first, std::uint64_t count) {
  return Segment{.kind = Segment::Kind::untouched,
                 .first = first,
                 .count = count,
                 .source = 0,
                 .source_first = 0};
}

std::vector<Segment> blocks_of_every_rank(const Layout& layout, const Seat& seat) {
  std::vector<Segment> segments;
  for (int source = 0; source < seat.ranks; ++source) {
    segments.push_back(copied(block_start(layout, source), layout.count, source, 0));
  }
  return segments;
}

std::uint64_t block_start(const Layout& layout, int rank) {
  return layout.count * static_cast<std::uint64_t>(rank);
}

}  // namespace viaduct::collectives
