#include "collectives/collective.hpp"

#include <gtest/gtest.h>

namespace viaduct {

namespace {

constexpr std::uint64_t gib = std::uint64_t{1} << 30U;

struct Row {
  const char* operation;
  std::uint64_t asked;
  std::size_t element;
  int ranks;
  Method method;
  std::uint64_t size_bytes;
  std::uint64_t count;
  std::uint64_t send;
  std::uint64_t recv;
};

const Row rows[] = {
    {"all_reduce", 0, 4, 2, Method::viaduct, 0, 0, 0, 0},
    {"all_reduce", 3, 4, 2, Method::viaduct, 4, 1, 1, 1},
    {"all_reduce", 3, 4, 2, Method::nccl_tests, 0, 0, 0, 0},
    {"all_reduce", 8, 4, 2, Method::viaduct, 8, 2, 2, 2},
    {"all_reduce", 10, 4, 2, Method::nccl_tests, 8, 2, 2, 2},
    {"all_reduce", 4 * gib + 4, 4, 8, Method::viaduct, 4 * gib + 4, gib + 1, gib + 1, gib + 1},
    // Blocks are rounded down to 16 bytes: 1 MiB over 6 ranks is 1048512 in nccl-tests' table.
    {"all_gather", 1 << 20, 4, 6, Method::nccl_tests, 1'048'512, 43'688, 43'688, 262'128},
    {"all_gather", 1 << 20, 4, 6, Method::viaduct, 1'048'512, 43'688, 43'688, 262'128},
    {"all_gather", 100, 1, 3, Method::viaduct, 96, 32, 32, 96},
    {"all_gather", 100, 2, 3, Method::viaduct, 96, 16, 16, 48},
    {"all_gather", 8 * gib, 8, 2, Method::viaduct, 8 * gib, gib / 2, gib / 2, gib},
    // Shorter blocks are empty in nccl-tests and whole elements here.
    {"all_gather", 8, 4, 2, Method::nccl_tests, 0, 0, 0, 0},
    {"all_gather", 8, 4, 2, Method::viaduct, 8, 1, 1, 2},
    {"all_gather", 24, 4, 2, Method::nccl_tests, 0, 0, 0, 0},
    {"all_gather", 24, 4, 2, Method::viaduct, 24, 3, 3, 6},
    {"all_gather", 32, 4, 2, Method::nccl_tests, 32, 4, 4, 8},
    {"all_gather", 40, 4, 2, Method::viaduct, 32, 4, 4, 8},
    {"all_gather", 8, 4, 4, Method::viaduct, 16, 1, 1, 4},
    {"all_gather", 8, 4, 4, Method::nccl_tests, 0, 0, 0, 0},
    {"all_gather", 0, 4, 4, Method::viaduct, 0, 0, 0, 0},
    {"sendrecv", 5, 4, 3, Method::viaduct, 4, 1, 1, 1},
    {"sendrecv", 5 * gib, 1, 3, Method::nccl_tests, 5 * gib, 5 * gib, 5 * gib, 5 * gib},
};

TEST(Layout, AgreesWithNcclTests) {
  for (const Row& row : rows) {
    SCOPED_TRACE(std::string(row.operation) + " " + std::to_string(row.asked) + " over " +
                 std::to_string(row.ranks));
    const Layout layout =
        collectives::get(row.operation)
            .layout(LayoutRequest{row.asked, row.element, 0, row.ranks, row.method});
    EXPECT_EQ(layout.size_bytes, row.size_bytes);
    EXPECT_EQ(layout.count, row.count);
    EXPECT_EQ(layout.send_elements, row.send);
    EXPECT_EQ(layout.recv_elements, row.recv);
  }
}

/// Segments follow each other from the first element to the last.
void expect_whole(const std::vector<Segment>& segments, std::uint64_t elements) {
  std::uint64_t next = 0;
  for (const Segment& segment : segments) {
    EXPECT_EQ(segment.first, next);
    next += segment.count;
  }
  EXPECT_EQ(next, elements);
}

TEST(Layout, ExpectsSomethingOfEveryElement) {
  for (const Collective* entry : collectives::all()) {
    for (int ranks = 1; ranks <= 9; ++ranks) {
      const Layout layout = entry->layout(LayoutRequest{4096 + 20, 4, 0, ranks});
      for (int rank = 0; rank < ranks; ++rank) {
        SCOPED_TRACE(std::string(entry->name) + " rank " + std::to_string(rank));
        expect_whole(entry->expected(layout, Seat{rank, ranks}), layout.recv_elements);
      }
    }
  }
}

TEST(Layout, AllGatherBlocksComeFromEveryRankInOrder) {
  const Collective& entry = collectives::get("all_gather");
  const Layout layout = entry.layout(LayoutRequest{96, 4, 0, 3});
  const auto segments = entry.expected(layout, Seat{1, 3});
  ASSERT_EQ(segments.size(), 3U);
  for (int source = 0; source < 3; ++source) {
    const Segment& segment = segments[static_cast<std::size_t>(source)];
    EXPECT_EQ(segment.kind, Segment::Kind::copied);
    EXPECT_EQ(segment.source, source);
    EXPECT_EQ(segment.source_first, 0U);
    EXPECT_EQ(segment.count, 8U);
  }
}

TEST(Layout, SendrecvIsARing) {
  const Collective& entry = collectives::get("sendrecv");
  const Layout layout = entry.layout(LayoutRequest{64, 4, 0, 3});
  EXPECT_EQ(entry.expected(layout, Seat{0, 3}).at(0).source, 2);
  EXPECT_EQ(entry.expected(layout, Seat{1, 3}).at(0).source, 0);
  EXPECT_EQ(entry.expected(layout, Seat{2, 3}).at(0).source, 1);
  EXPECT_EQ(entry.expected(layout, Seat{0, 1}).at(0).source, 0);
  EXPECT_FALSE(entry.has_in_place);
}

TEST(Layout, AllGatherInPlaceSendsItsOwnBlockOfTheOutput) {
  const Collective& entry = collectives::get("all_gather");
  const Layout layout = entry.layout(LayoutRequest{96, 4, 0, 3});
  EXPECT_EQ(entry.in_place(layout, 2).send, 16U);
  EXPECT_EQ(entry.in_place(layout, 2).recv, 0U);
  const Collective& reduce = collectives::get("all_reduce");
  EXPECT_EQ(reduce.in_place(layout, 2).send, 0U);
  EXPECT_EQ(reduce.in_place(layout, 2).recv, 0U);
}

}  // namespace

}  // namespace viaduct
