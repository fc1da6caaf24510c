// What outputs must hold, for every seat.

#include "collectives/collective.hpp"

#include <gtest/gtest.h>

namespace viaduct {

namespace {

using Kind = Segment::Kind;

/// Segments follow each other from the first element to the last.
void expect_whole(const std::vector<Segment>& segments, std::uint64_t elements) {
  std::uint64_t next = 0;
  for (const Segment& segment : segments) {
    EXPECT_EQ(segment.first, next);
    next += segment.count;
  }
  EXPECT_EQ(next, elements);
}

void expect_every_seat_whole(const Collective& entry, int ranks, const Traffic& traffic) {
  for (int rank = 0; rank < ranks; ++rank) {
    const Layout layout =
        entry.layout(LayoutRequest{4096 + 20, 4, rank, ranks, Method::viaduct, &traffic});
    for (int root = 0; root < (entry.has_root ? ranks : 1); ++root) {
      for (const Placement placement : {Placement::out_of_place, Placement::in_place}) {
        SCOPED_TRACE(std::string(entry.name) + " rank " + std::to_string(rank) + " of " +
                     std::to_string(ranks) + " root " + std::to_string(root));
        expect_whole(entry.expected(layout, Seat{rank, ranks, root, placement}),
                     layout.recv_elements);
      }
    }
  }
}

TEST(Expected, CoversEveryElementOnce) {
  for (const Collective* entry : collectives::all()) {
    for (int ranks = 1; ranks <= 9; ++ranks) {
      expect_every_seat_whole(*entry, ranks, Traffic{});
      if (entry->has_traffic) {
        expect_every_seat_whole(*entry, ranks, Traffic{.name = "skewed", .weights = {}});
      }
    }
  }
}

/// Of blocks of 8 elements on 3 ranks.
std::vector<Segment> expected(const char* operation, const Seat& seat) {
  const Collective& entry = collectives::get(operation);
  return entry.expected(entry.layout(LayoutRequest{96, 4, seat.rank, seat.ranks}), seat);
}

void expect_copied(const Segment& segment, int source, std::uint64_t source_first) {
  EXPECT_EQ(segment.kind, Kind::copied);
  EXPECT_EQ(segment.source, source);
  EXPECT_EQ(segment.source_first, source_first);
}

TEST(Expected, BlocksComeFromEveryRankInOrder) {
  for (const char* operation : {"all_gather", "hypercube", "gather", "alltoall"}) {
    SCOPED_TRACE(operation);
    const auto segments = expected(operation, Seat{1, 3, 1});
    ASSERT_EQ(segments.size(), 3U);
    const std::uint64_t source_first = std::string(operation) == "alltoall" ? 8 : 0;
    for (int source = 0; source < 3; ++source) {
      const Segment& segment = segments[static_cast<std::size_t>(source)];
      expect_copied(segment, source, source_first);
      EXPECT_EQ(segment.count, 8U);
    }
  }
}

TEST(Expected, SendrecvIsARing) {
  EXPECT_EQ(expected("sendrecv", Seat{0, 3}).at(0).source, 2);
  EXPECT_EQ(expected("sendrecv", Seat{1, 3}).at(0).source, 0);
  EXPECT_EQ(expected("sendrecv", Seat{2, 3}).at(0).source, 1);
  EXPECT_EQ(expected("sendrecv", Seat{0, 1}).at(0).source, 0);
  EXPECT_FALSE(collectives::get("sendrecv").has_in_place);
}

TEST(Expected, ReductionsTakeTheRightPart) {
  const Segment whole = expected("all_reduce", Seat{2, 3}).at(0);
  EXPECT_EQ(whole.kind, Kind::reduced);
  EXPECT_EQ(whole.count, 24U);
  const Segment block = expected("reduce_scatter", Seat{2, 3}).at(0);
  EXPECT_EQ(block.kind, Kind::reduced);
  EXPECT_EQ(block.count, 8U);
  EXPECT_EQ(block.source_first, 16U);
}

TEST(Expected, RootsGetOrGiveTheData) {
  expect_copied(expected("broadcast", Seat{1, 3, 2}).at(0), 2, 0);
  expect_copied(expected("scatter", Seat{1, 3, 2}).at(0), 2, 8);
  EXPECT_EQ(expected("reduce", Seat{2, 3, 2}).at(0).kind, Kind::reduced);
}

TEST(Expected, OthersThanTheRootKeepWhatTheyHad) {
  for (const char* operation : {"reduce", "gather"}) {
    const auto apart = expected(operation, Seat{1, 3, 2, Placement::out_of_place});
    ASSERT_EQ(apart.size(), 1U) << operation;
    EXPECT_EQ(apart.at(0).kind, Kind::untouched) << operation;
  }
  expect_copied(expected("reduce", Seat{1, 3, 2, Placement::in_place}).at(0), 1, 0);
  const auto gathered = expected("gather", Seat{1, 3, 2, Placement::in_place});
  ASSERT_EQ(gathered.size(), 3U);
  EXPECT_EQ(gathered.at(0).kind, Kind::untouched);
  expect_copied(gathered.at(1), 1, 0);
  EXPECT_EQ(gathered.at(1).first, 8U);
  EXPECT_EQ(gathered.at(2).kind, Kind::untouched);
}

}  // namespace

}  // namespace viaduct
