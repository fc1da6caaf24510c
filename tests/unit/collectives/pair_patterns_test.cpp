// Patterns between two ranks: windows, who sends to whom, what is reported of their times.
#include "collectives/collective.hpp"
#include "collectives/pair_shapes.hpp"

#include <gtest/gtest.h>

namespace viaduct {

namespace {

using Kind = Segment::Kind;

Layout window_of(std::uint64_t size_bytes, std::size_t element, int window) {
  return collectives::message_layout(LayoutRequest{
      .size_bytes = size_bytes, .element_bytes = element, .ranks = 2, .window = window});
}

std::vector<Segment> expected(const char* pattern, const Seat& seat, int window = 1) {
  const Collective& entry = collectives::get(pattern);
  const Layout layout = entry.layout(LayoutRequest{.size_bytes = 64,
                                                   .element_bytes = 4,
                                                   .rank = seat.rank,
                                                   .ranks = seat.ranks,
                                                   .window = window});
  return entry.expected(layout, seat);
}

void expect_from(const std::vector<Segment>& segments, int source) {
  ASSERT_EQ(segments.size(), 1U);
  EXPECT_EQ(segments[0].kind, Kind::copied);
  EXPECT_EQ(segments[0].source, source);
}

void expect_untouched(const std::vector<Segment>& segments) {
  for (const Segment& segment : segments) {
    EXPECT_EQ(segment.kind, Kind::untouched);
  }
}

TEST(PairPatterns, SizeIsThatOfOneMessage) {
  const Layout one = window_of(1, 1, 1);
  EXPECT_EQ(one.size_bytes, 1U);
  EXPECT_EQ(one.count, 1U);
  EXPECT_EQ(one.recv_elements, 1U);
  const Layout many = window_of(4096, 4, 64);
  EXPECT_EQ(many.size_bytes, 4096U);
  EXPECT_EQ(many.count, 1024U);
  EXPECT_EQ(many.messages, 64U);
  EXPECT_EQ(many.send_elements, 64U * 1024U);
}

TEST(PairPatterns, MessagesOfAWindowBeginAtMultiplesOf16Bytes) {
  const Layout bytes = window_of(1, 1, 3);
  EXPECT_EQ(bytes.stride, 16U);
  EXPECT_EQ(bytes.recv_elements, 33U);
  EXPECT_EQ(window_of(20, 4, 3).stride, 8U);
  EXPECT_EQ(window_of(8, 8, 3).stride, 2U);
  EXPECT_EQ(window_of(0, 4, 3).recv_elements, 0U);
}

TEST(PairPatterns, AWindowCanShareOnePlace) {
  const Layout layout = collectives::message_layout(LayoutRequest{
      .size_bytes = 20, .element_bytes = 4, .ranks = 2, .window = 64, .shares_window = true});
  EXPECT_EQ(layout.messages, 64U);
  EXPECT_EQ(layout.recv_elements, 5U);
  expect_from(collectives::messages_from(layout, 1), 1);
}

TEST(PairPatterns, WhatLiesBetweenMessagesStaysUntouched) {
  const Layout layout = window_of(1, 1, 3);
  const auto segments = collectives::messages_from(layout, 1);
  ASSERT_EQ(segments.size(), 5U);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    EXPECT_EQ(segments[i].kind, i % 2 == 0 ? Kind::copied : Kind::untouched);
  }
  // Each message from its own place in the input: two that change places are found.
  EXPECT_EQ(segments[2].first, 16U);
  EXPECT_EQ(segments[2].source_first, 16U);
}

TEST(PairPatterns, PingpongLeavesEachTheOthersMessage) {
  expect_from(expected("pingpong", Seat{0, 2}), 1);
  expect_from(expected("pingpong", Seat{1, 2}), 0);
}

TEST(PairPatterns, TheRootOfAOneWayPairSends) {
  for (const int root : {0, 1}) {
    expect_untouched(expected("pair_unidirectional", Seat{root, 2, root}));
    expect_from(expected("pair_unidirectional", Seat{1 - root, 2, root}), root);
  }
  expect_from(expected("pair_bidirectional", Seat{0, 2}), 1);
  expect_from(expected("pair_bidirectional", Seat{1, 2}), 0);
}

TEST(PairPatterns, MessageRateGoesFromTheFirstHalfToTheSecond) {
  for (const int ranks : {2, 6}) {
    for (int rank = 0; rank < ranks; ++rank) {
      const auto segments = expected("message_rate", Seat{rank, ranks}, 4);
      if (rank < ranks / 2) {
        expect_untouched(segments);
      } else {
        expect_from(segments, rank - ranks / 2);
      }
    }
  }
}

TEST(PairPatterns, SayWhichRanksTheyNeed) {
  for (const char* pattern : {"pingpong", "pair_unidirectional", "pair_bidirectional"}) {
    const Collective& entry = collectives::get(pattern);
    EXPECT_EQ(entry.why_not(2, Traffic{}), "");
    for (const int ranks : {1, 3, 8}) {
      const std::string reason = entry.why_not(ranks, Traffic{});
      EXPECT_NE(reason.find(pattern), std::string::npos) << reason;
      EXPECT_NE(reason.find(std::to_string(ranks)), std::string::npos) << reason;
      EXPECT_NE(reason.find("--pair"), std::string::npos) << reason;
    }
  }
  const Collective& rate = collectives::get("message_rate");
  EXPECT_EQ(rate.why_not(8, Traffic{}), "");
  EXPECT_NE(rate.why_not(7, Traffic{}).find("even"), std::string::npos);
}

TEST(PairPatterns, TimesAreOfOneMessageOneWay) {
  EXPECT_DOUBLE_EQ(collectives::get("pingpong").time_share(1), 0.5);
  for (const char* pattern : {"pair_unidirectional", "pair_bidirectional", "message_rate"}) {
    EXPECT_DOUBLE_EQ(collectives::get(pattern).time_share(64), 1.0 / 64) << pattern;
  }
  EXPECT_DOUBLE_EQ(collectives::get("message_rate").messages(8), 4);
  EXPECT_EQ(collectives::get("sendrecv").time_share, nullptr);
  EXPECT_EQ(collectives::get("pair_unidirectional").messages, nullptr);
}

}  // namespace

}  // namespace viaduct
