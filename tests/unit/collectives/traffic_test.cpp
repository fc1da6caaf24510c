// Unequal blocks of alltoallv.

#include "collectives/collective.hpp"

#include <gtest/gtest.h>

namespace viaduct {

namespace {

const Collective& entry() {
  return collectives::get("alltoallv");
}

Traffic skewed() {
  return Traffic{.name = "skewed", .weights = {}};
}

Traffic matrix(std::vector<double> weights) {
  return Traffic{.name = "matrix.txt", .weights = std::move(weights)};
}

Layout layout_of(std::uint64_t size_bytes,
                 int rank,
                 int ranks,
                 const Traffic& traffic,
                 Method method = Method::viaduct) {
  return entry().layout(LayoutRequest{size_bytes, 4, rank, ranks, method, &traffic});
}

using Counts = std::vector<std::uint64_t>;

TEST(Traffic, SkewedIsTheDistanceWeightedPatternOfNcclTests) {
  // A sixth, a third and a half of 1 MiB, in whole blocks of 16 bytes.
  const Layout layout = layout_of(1 << 20, 0, 4, skewed(), Method::nccl_tests);
  EXPECT_EQ(layout.blocks.send_counts, (Counts{0, 43'688, 87'380, 131'072}));
  EXPECT_EQ(layout.blocks.recv_counts, (Counts{0, 131'072, 87'380, 43'688}));
  EXPECT_EQ(layout.size_bytes, 1'048'560U);
  EXPECT_EQ(layout.count, 65'536U);
  EXPECT_EQ(layout.send_elements, 262'140U);
  EXPECT_EQ(layout.recv_elements, 262'140U);
  // A third is exact, of what three equal blocks of 1 MiB hold.
  const Layout third = layout_of(1 << 20, 1, 3, skewed(), Method::nccl_tests);
  EXPECT_EQ(third.blocks.send_counts, (Counts{174'760, 0, 87'380}));
  EXPECT_EQ(third.size_bytes, 1'048'560U);
}

TEST(Traffic, UniformIsAlltoall) {
  for (const std::uint64_t size : {0U, 8U, 1000U, 1U << 20U}) {
    const Layout equal = collectives::get("alltoall").layout(LayoutRequest{size, 4, 1, 3});
    const Layout layout = layout_of(size, 1, 3, Traffic{});
    EXPECT_EQ(layout.size_bytes, equal.size_bytes);
    EXPECT_EQ(layout.count, equal.count);
    EXPECT_EQ(layout.send_elements, equal.send_elements);
    EXPECT_EQ(layout.blocks.send_counts, Counts(3, equal.count));
    EXPECT_EQ(layout.blocks.recv_offsets, (Counts{0, equal.count, 2 * equal.count}));
  }
}

TEST(Traffic, RankAloneSendsAllToItself) {
  EXPECT_EQ(layout_of(4096, 0, 1, skewed()).blocks.send_counts, (Counts{1024}));
}

TEST(Traffic, SmallSizesSendOneElementWhereThereIsWeight) {
  const Layout layout = layout_of(8, 0, 4, skewed());
  EXPECT_EQ(layout.blocks.send_counts, (Counts{0, 1, 1, 2}));
  EXPECT_EQ(layout.size_bytes, 16U);
  EXPECT_EQ(layout_of(8, 0, 4, skewed(), Method::nccl_tests).size_bytes, 0U);
  EXPECT_EQ(layout_of(0, 0, 4, skewed()).size_bytes, 0U);
}

TEST(Traffic, TheRankThatSendsMostSendsTheSize) {
  const Traffic traffic = matrix({0, 2, 2, 1, 0, 1, 0, 0, 0});
  const Layout first = layout_of(4800, 0, 3, traffic);
  EXPECT_EQ(first.blocks.send_counts, (Counts{0, 600, 600}));
  EXPECT_EQ(first.blocks.recv_counts, (Counts{0, 300, 0}));
  const Layout second = layout_of(4800, 1, 3, traffic);
  EXPECT_EQ(second.blocks.send_counts, (Counts{300, 0, 300}));
  const Layout third = layout_of(4800, 2, 3, traffic);
  EXPECT_EQ(third.blocks.send_counts, (Counts{0, 0, 0}));
  EXPECT_EQ(third.blocks.recv_counts, (Counts{600, 300, 0}));
  for (const Layout& layout : {first, second, third}) {
    EXPECT_EQ(layout.size_bytes, 4800U);
    EXPECT_EQ(layout.count, 0U);
    EXPECT_EQ(layout.send_elements, 1200U);
    EXPECT_EQ(layout.recv_elements, 900U);
  }
}

TEST(Traffic, BothEndsOfABlockAgree) {
  std::vector<double> weights;
  for (int i = 0; i < 25; ++i) {
    weights.push_back(i * 7 % 5 + 0.1 * (i % 3));
  }
  for (const Traffic& traffic : {Traffic{}, skewed(), matrix(weights)}) {
    std::vector<Layout> layouts;
    for (int rank = 0; rank < 5; ++rank) {
      layouts.push_back(layout_of(123'456, rank, 5, traffic));
    }
    for (std::size_t from = 0; from < 5; ++from) {
      for (std::size_t to = 0; to < 5; ++to) {
        const PeerBlocks& sent = layouts[from].blocks;
        const PeerBlocks& received = layouts[to].blocks;
        EXPECT_EQ(sent.send_counts[to], received.recv_counts[from]);
        EXPECT_EQ(sent.send_offsets[to], received.source_offsets[from]);
        EXPECT_LE(sent.send_offsets[to] + sent.send_counts[to], layouts[from].send_elements);
        EXPECT_LE(received.recv_offsets[from] + received.recv_counts[from],
                  layouts[to].recv_elements);
      }
    }
  }
}

TEST(Traffic, ExpectsTheBlockMeantForTheRankAndNothingBehindTheLast) {
  const Traffic traffic = matrix({0, 2, 2, 1, 0, 1, 0, 0, 0});
  const auto segments = entry().expected(layout_of(4800, 1, 3, traffic), Seat{1, 3});
  ASSERT_EQ(segments.size(), 4U);
  EXPECT_EQ(segments[0].count, 600U);
  EXPECT_EQ(segments[0].source_first, 0U);
  EXPECT_EQ(segments[3].kind, Segment::Kind::untouched);
  EXPECT_EQ(segments[3].first, 600U);
  EXPECT_EQ(segments[3].count, 300U);
  const auto last = entry().expected(layout_of(4800, 2, 3, traffic), Seat{2, 3});
  EXPECT_EQ(last[0].source_first, 600U);
  EXPECT_EQ(last[1].source_first, 300U);
}

TEST(Traffic, SaysWhyAMatrixDoesNotFit) {
  const Traffic four = matrix({1, 2, 3, 4});
  EXPECT_EQ(entry().why_not(2, four), "");
  EXPECT_EQ(entry().why_not(3, four),
            "traffic 'matrix.txt' has 4 weights; 3 ranks need a matrix of 3 x 3, 9 weights");
  EXPECT_NE(entry().why_not(2, matrix({0, 0, 0, 0})).find("sends nothing"), std::string::npos);
  EXPECT_NE(entry().why_not(2, matrix({})).find("has no weights"), std::string::npos);
  for (const int ranks : {1, 2, 7}) {
    EXPECT_EQ(entry().why_not(ranks, Traffic{}), "");
    EXPECT_EQ(entry().why_not(ranks, skewed()), "");
  }
  // Asked before the reason is: must not read weights that are not there.
  EXPECT_EQ(layout_of(4096, 2, 3, four).send_elements, 0U);
}

}  // namespace

}  // namespace viaduct
