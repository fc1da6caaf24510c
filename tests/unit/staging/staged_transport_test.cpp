#include "staging/staged_transport.hpp"

#include "core/error.hpp"
#include "support/loopback_copies.hpp"
#include "support/self_server.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace viaduct::staging {

namespace {

constexpr std::size_t mib = std::size_t{1} << 20U;

/// A lane of one rank, whose tasks are done while the transport waits.
class StagedTransportTest : public testing::Test {
 protected:
  StagedTransportTest()
      : block_(SharedBlock::create()),
        server_(block_),
        copies_([this] {
          ++pauses_;
          ASSERT_LT(pauses_, 10'000'000) << "it waits for ever";
          server_.serve();
        }),
        transport_(block_, copies_, {.rank = 0, .ranks = 1}) {}

  static std::vector<unsigned char> numbers(std::size_t bytes) {
    std::vector<unsigned char> values(bytes);
    unsigned state = 1;
    for (unsigned char& value : values) {
      state = state * 1664525U + 1013904223U;
      value = static_cast<unsigned char>(state >> 24U);
    }
    return values;
  }

  long pauses_ = 0;
  SharedBlock block_;
  SelfServer server_;
  loopback::Copies copies_;
  StagedTransport transport_;
};

TEST_F(StagedTransportTest, MessageToItselfArrivesWhateverItsLength) {
  // The last is more than all slots together, and no multiple of anything.
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{4}, std::size_t{1003}, 3 * mib + 12, 45 * mib + 77}) {
    const auto sent = numbers(bytes);
    std::vector<unsigned char> received(bytes, 0);
    transport_.group_begin();
    transport_.send(sent.data(), bytes, Datatype::uint8, 0);
    transport_.recv(received.data(), bytes, Datatype::uint8, 0);
    transport_.group_end();
    EXPECT_EQ(sent, received) << bytes;
  }
}

TEST_F(StagedTransportTest, ManyMessagesOfAGroupAllArrive) {
  constexpr std::size_t count = 50;
  std::vector<std::vector<unsigned char>> sent;
  std::vector<std::vector<unsigned char>> received;
  for (std::size_t i = 0; i < count; ++i) {
    sent.push_back(numbers(i % 7 == 0 ? 0 : i * 20'011));
    received.emplace_back(sent.back().size());
  }
  transport_.group_begin();
  for (std::size_t i = 0; i < count; ++i) {
    transport_.send(sent[i].data(), sent[i].size(), Datatype::uint8, 0);
  }
  for (std::size_t i = 0; i < count; ++i) {
    transport_.recv(received[i].data(), received[i].size(), Datatype::uint8, 0);
  }
  transport_.group_end();
  EXPECT_EQ(sent, received);
}

TEST_F(StagedTransportTest, SmallOperationIsOneCopyEachWayAndOneTask) {
  std::vector<float> data(64, 2.0F);
  transport_.all_reduce(data.data(), data.data(), 64, Datatype::float32, ReduceOp::sum);
  EXPECT_EQ(copies_.started_down.copies, 1U);
  EXPECT_EQ(copies_.started_up.copies, 1U);
  ASSERT_EQ(server_.seen.size(), 1U);
  EXPECT_EQ(server_.seen[0].kind, TaskKind::all_reduce);
  EXPECT_EQ(server_.seen[0].count, 64U);
}

/// MPI that ends nothing before it has half of the slots' chunks: only a pipeline gets through.
TEST_F(StagedTransportTest, SeveralChunksAreUnderWayAtOnce) {
  server_.held_collectives = slots_each_way;
  const std::size_t bytes = 2 * slots_each_way * slot_bytes;
  const auto sent = numbers(bytes);
  std::vector<unsigned char> received(bytes, 0);
  transport_.all_reduce(sent.data(), received.data(), bytes, Datatype::uint8, ReduceOp::sum);
  EXPECT_EQ(sent, received);
  EXPECT_EQ(server_.seen.size(), 2 * slots_each_way);
}

TEST_F(StagedTransportTest, OneLegAloneDoesNothingElse) {
  const auto sent = numbers(3 * mib);
  std::vector<unsigned char> received(sent.size(), 0);
  const auto run = [&] {
    transport_.all_gather(sent.data(), received.data(), sent.size(), Datatype::uint8);
  };
  transport_.set_legs({.down = true, .mpi = false, .up = false});
  run();
  EXPECT_EQ(copies_.started_down.bytes, sent.size());
  EXPECT_TRUE(server_.seen.empty());
  transport_.set_legs({.down = false, .mpi = true, .up = false});
  run();
  EXPECT_EQ(copies_.started_down.bytes, sent.size());
  EXPECT_EQ(copies_.started_up.bytes, 0U);
  EXPECT_FALSE(server_.seen.empty());
  const std::size_t tasks = server_.seen.size();
  transport_.set_legs({.down = false, .mpi = false, .up = true});
  run();
  EXPECT_EQ(copies_.started_up.bytes, sent.size());
  EXPECT_EQ(server_.seen.size(), tasks);
  transport_.set_legs(Legs{});
  run();
  EXPECT_EQ(sent, received);
}

TEST_F(StagedTransportTest, RanksLineUpWhateverTheLegs) {
  transport_.set_legs({.down = true, .mpi = false, .up = false});
  transport_.line_up();
  ASSERT_EQ(server_.seen.size(), 1U);
  EXPECT_EQ(server_.seen[0].kind, TaskKind::barrier);
}

TEST_F(StagedTransportTest, SaysWhatItCannot) {
  Case c;
  c.operation = "barrier";
  EXPECT_NE(transport_.why_not(c, false), "");
  c.operation = "alltoall";
  EXPECT_EQ(transport_.why_not(c, false), "");
  c.placement = Placement::in_place;
  EXPECT_NE(transport_.why_not(c, false), "");
  c.operation = "all_reduce";
  EXPECT_EQ(transport_.why_not(c, true), "");
  EXPECT_THROW(transport_.barrier(), Error);
  EXPECT_THROW(transport_.group_end(), Error);
}

}  // namespace

}  // namespace viaduct::staging
