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
    {"reduce_scatter", 1 << 20, 4, 6, Method::nccl_tests, 1'048'512, 43'688, 262'128, 43'688},
    {"reduce_scatter", 8, 4, 2, Method::nccl_tests, 0, 0, 0, 0},
    {"reduce_scatter", 8, 4, 2, Method::viaduct, 8, 1, 2, 1},
    {"reduce_scatter", 8 * gib, 8, 2, Method::viaduct, 8 * gib, gib / 2, gib, gib / 2},
    {"alltoall", 1 << 20, 4, 6, Method::nccl_tests, 1'048'512, 43'688, 262'128, 262'128},
    {"alltoall", 100, 1, 3, Method::viaduct, 96, 32, 96, 96},
    {"alltoallv", 1 << 20, 4, 6, Method::nccl_tests, 1'048'512, 43'688, 262'128, 262'128},
    {"alltoallv", 8, 4, 4, Method::viaduct, 16, 1, 4, 4},
    {"alltoallv", 8, 4, 4, Method::nccl_tests, 0, 0, 0, 0},
    {"broadcast", 3, 4, 2, Method::nccl_tests, 0, 0, 0, 0},
    {"broadcast", 10, 4, 7, Method::nccl_tests, 8, 2, 2, 2},
    {"reduce", 3, 4, 2, Method::viaduct, 4, 1, 1, 1},
    {"reduce", 5 * gib, 1, 3, Method::nccl_tests, 5 * gib, 5 * gib, 5 * gib, 5 * gib},
    {"gather", 1 << 20, 4, 6, Method::nccl_tests, 1'048'512, 43'688, 43'688, 262'128},
    {"gather", 40, 4, 2, Method::viaduct, 32, 4, 4, 8},
    {"scatter", 1 << 20, 4, 6, Method::nccl_tests, 1'048'512, 43'688, 262'128, 43'688},
    {"scatter", 40, 4, 2, Method::viaduct, 32, 4, 8, 4},
    {"hypercube", 1 << 20, 2, 8, Method::nccl_tests, 1 << 20, 65'536, 65'536, 524'288},
    {"hypercube", 8, 4, 4, Method::nccl_tests, 0, 0, 0, 0},
    {"barrier", 1 << 20, 4, 4, Method::viaduct, 0, 0, 0, 0},
    {"barrier", 0, 4, 4, Method::nccl_tests, 0, 0, 0, 0},
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

TEST(Layout, IsOfOneSizeOnEveryRank) {
  for (const Collective* entry : collectives::all()) {
    for (int ranks = 1; ranks <= 9; ++ranks) {
      const Layout first = entry->layout(LayoutRequest{4096 + 20, 4, 0, ranks});
      for (int rank = 1; rank < ranks; ++rank) {
        SCOPED_TRACE(std::string(entry->name) + " rank " + std::to_string(rank));
        const Layout layout = entry->layout(LayoutRequest{4096 + 20, 4, rank, ranks});
        EXPECT_EQ(layout.size_bytes, first.size_bytes);
        EXPECT_EQ(layout.count, first.count);
        EXPECT_EQ(layout.send_elements, first.send_elements);
        EXPECT_EQ(layout.recv_elements, first.recv_elements);
      }
    }
  }
}

TEST(Layout, InPlaceBuffersLieAsInNcclTests) {
  struct Place {
    const char* operation;
    std::uint64_t send;
    std::uint64_t recv;
  };

  // Blocks of 8 elements, rank 2 of 3.
  for (const Place& place : {Place{"all_reduce", 0, 0},
                             Place{"all_gather", 16, 0},
                             Place{"reduce_scatter", 0, 16},
                             Place{"alltoall", 0, 0},
                             Place{"broadcast", 0, 0},
                             Place{"reduce", 0, 0},
                             Place{"gather", 16, 0},
                             Place{"scatter", 0, 16},
                             Place{"hypercube", 16, 0}}) {
    const Collective& entry = collectives::get(place.operation);
    const Layout layout = entry.layout(LayoutRequest{96, 4, 2, 3});
    EXPECT_EQ(entry.in_place(layout, 2).send, place.send) << place.operation;
    EXPECT_EQ(entry.in_place(layout, 2).recv, place.recv) << place.operation;
  }
}

}  // namespace

}  // namespace viaduct
