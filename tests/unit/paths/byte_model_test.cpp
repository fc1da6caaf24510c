#include "paths/byte_model.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20U;
constexpr double whole = 840.0;  ///< can be divided by 2, 3, 4, 7 and 8

struct Row {
  const char* operation;
  const char* algorithm;
  int ranks;
  double low;  ///< of `whole` bytes
  double high;
};

/// By hand: what every GPU sends, added up.
constexpr Row rows[] = {
    // Two GPUs: each sends half to be added and half of the result: 420 + 420, twice.
    {"all_reduce", "RING", 2, 1680, 1680},
    // Three: each sends 2 x 2 thirds of 280: 1120, three times.
    {"all_reduce", "RING", 3, 3360, 3360},
    {"all_reduce", "RING", 4, 5040, 5040},
    {"all_reduce", "RING", 8, 11760, 11760},
    // A tree: everyone but the root sends 840 up, and 840 comes down to everyone but the root.
    {"all_reduce", "TREE", 2, 1680, 1680},
    {"all_reduce", "TREE", 8, 11760, 11760},
    {"all_reduce", "NVLS", 2, 1680, 2520},
    {"all_reduce", "NVLS", 4, 3360, 4200},
    {"all_reduce", "NVLS", 8, 6720, 7560},
    {"all_reduce", "", 2, 1680, 2520},
    {"all_reduce", "", 8, 6720, 11760},
    {"all_reduce", "NVLS_TREE", 8, 6720, 11760},
    // Blocks of 420, 280, 210, 105 that each travel to all the others.
    {"all_gather", "RING", 2, 840, 840},
    {"all_gather", "RING", 3, 1680, 1680},
    {"all_gather", "PAT", 4, 2520, 2520},
    {"all_gather", "ring", 8, 5880, 5880},
    {"all_gather", "NVLS", 4, 630, 840},
    {"reduce_scatter", "RING", 2, 840, 840},
    {"reduce_scatter", "RING", 3, 1680, 1680},
    {"reduce_scatter", "PAT", 4, 2520, 2520},
    {"reduce_scatter", "RING", 8, 5880, 5880},
    {"reduce_scatter", "NVLS", 4, 2520, 3360},
    // Down or up a chain of all.
    {"broadcast", "RING", 2, 840, 840},
    {"broadcast", "RING", 3, 1680, 1680},
    {"broadcast", "RING", 8, 5880, 5880},
    {"reduce", "RING", 2, 840, 840},
    {"reduce", "RING", 4, 2520, 2520},
    // Between two: to and fro, one way, both ways at once; and half of the GPUs to the other half.
    {"pingpong", "", 2, 1680, 1680},
    {"pair_unidirectional", "", 2, 840, 840},
    {"pair_bidirectional", "", 2, 1680, 1680},
    {"message_rate", "", 2, 840, 840},
    {"message_rate", "", 8, 3360, 3360},
    // Each keeps its own block: 2 x 420, 3 x 560, 4 x 630, 8 x 735.
    {"alltoall", "", 2, 840, 840},
    {"alltoall", "", 3, 1680, 1680},
    {"alltoall", "", 4, 2520, 2520},
    {"alltoall", "", 8, 5880, 5880},
    {"alltoallv", "", 4, 0, 3360},
    // The root keeps its own block.
    {"gather", "", 2, 420, 420},
    {"gather", "", 3, 560, 560},
    {"scatter", "", 4, 630, 630},
    {"scatter", "", 8, 735, 735},
    {"sendrecv", "", 2, 1680, 1680},
    {"sendrecv", "", 3, 2520, 2520},
    {"sendrecv", "", 8, 6720, 6720},
    // Rounds of 1, 2, 4 blocks: 2 x 420; 4 x (210 + 420); 8 x (105 + 210 + 420).
    {"hypercube", "", 2, 840, 840},
    {"hypercube", "", 4, 2520, 2520},
    {"hypercube", "", 8, 5880, 5880},
    {"all_reduce", "RING", 1, 0, 0},
    {"sendrecv", "", 1, 0, 0},
};

MovedBatch batch(const std::string& operation, std::uint64_t bytes) {
  return MovedBatch{.operation = operation,
                    .size_bytes = bytes,
                    .ranks = 2,
                    .operations = 1,
                    .algorithm = "RING",
                    .protocol = "SIMPLE"};
}

TEST(ExpectedBytes, AreThoseWorkedOutByHand) {
  for (const Row& row : rows) {
    MovedBatch moved = batch(row.operation, 840);
    moved.ranks = row.ranks;
    moved.algorithm = row.algorithm;
    const ExpectedBytes expected = expected_bytes(moved);
    const auto what =
        std::string(row.operation) + " " + row.algorithm + " " + std::to_string(row.ranks);
    EXPECT_NEAR(expected.low, row.low, 1e-9) << what;
    EXPECT_NEAR(expected.high, row.high, 1e-9) << what;
    EXPECT_EQ(expected.payload, whole);
  }
}

TEST(ExpectedBytes, GrowWithTheProtocolAndTheOperations) {
  MovedBatch moved = batch("all_reduce", 120);
  moved.protocol = "LL128";
  EXPECT_EQ(expected_bytes(moved).low, 256);
  moved.protocol = "LL";
  EXPECT_EQ(expected_bytes(moved).low, 480);
  moved.protocol = "Simple";
  moved.operations = 1000;
  EXPECT_EQ(expected_bytes(moved).low, 240000);
  moved.protocol = "";
  EXPECT_EQ(expected_bytes(moved).low, 240000);
  EXPECT_EQ(expected_bytes(moved).high, 480000);
}

TEST(ExpectedBytes, OfShortMessagesAndSmallBatchesAreNotJudged) {
  EXPECT_TRUE(expected_bytes(batch("all_reduce", 64 * mib)).is_judged);
  EXPECT_FALSE(expected_bytes(batch("all_reduce", 64 * mib - 4)).is_judged);
  EXPECT_EQ(expected_bytes(batch("all_reduce", 32 * mib)).why_not,
            "32.0 MiB are too few to be judged by counters: right: 64 MiB");
  MovedBatch many = batch("all_reduce", mib);
  many.operations = 64;
  EXPECT_TRUE(expected_bytes(many).is_judged);
  many.protocol = "LL";
  EXPECT_FALSE(expected_bytes(many).is_judged);
  EXPECT_EQ(expected_bytes(batch("ping", 64 * mib)).why_not,
            "no model says how many bytes ping moves");
  MovedBatch alone = batch("all_reduce", 64 * mib);
  alone.ranks = 1;
  EXPECT_EQ(expected_bytes(alone).why_not, "nothing has to leave a GPU");
}

TEST(ExpectedBytes, HoldForSizesBeyond4GiB) {
  MovedBatch moved = batch("all_reduce", std::uint64_t{16} << 30U);
  moved.operations = 1000;
  EXPECT_EQ(expected_bytes(moved).low, 2.0 * 1000 * 16 * 1024 * mib);
}

TEST(JudgeBytes, ProvesWithinOnePercent) {
  // 20 GiB over two GPUs were counted as 20480.7 MiB on real ones.
  MovedBatch moved = batch("all_reduce", 64 * mib);
  moved.operations = 160;
  const ExpectedBytes expected = expected_bytes(moved);
  const ByteJudgement judgement = judge_bytes(expected, 20480.7 * mib);
  EXPECT_EQ(judgement.state, ByteState::proven);
  EXPECT_EQ(judgement.reason, "NVLink counters: 20480.7 MiB of 20480.0 MiB");
  EXPECT_EQ(judge_bytes(expected, expected.low * 0.9901).state, ByteState::proven);
  EXPECT_EQ(judge_bytes(expected, expected.low * 0.9899).state, ByteState::contradicted);
  EXPECT_EQ(judge_bytes(expected, expected.low * 1.0099).state, ByteState::proven);
  EXPECT_EQ(judge_bytes(expected, expected.low * 1.0101).state, ByteState::unknown);
}

TEST(JudgeBytes, ContradictsWhereNoneOrSomeWentThisWay) {
  const ExpectedBytes expected = expected_bytes(batch("all_reduce", 64 * mib));
  const ByteJudgement none = judge_bytes(expected, 0);
  EXPECT_EQ(none.state, ByteState::contradicted);
  EXPECT_EQ(none.reason, "NVLink counters: 0.0 MiB of 128.0 MiB: only 0 % went this way");
  EXPECT_EQ(judge_bytes(expected, 64.0 * mib).reason,
            "NVLink counters: 64.0 MiB of 128.0 MiB: only 50 % went this way");
}

TEST(JudgeBytes, LeavesRoomForHeadersOnANic) {
  const ExpectedBytes expected = expected_bytes(batch("all_reduce", 64 * mib));
  EXPECT_EQ(judge_bytes(expected, 132.0 * mib, Carrier::nic).state, ByteState::proven);
  EXPECT_EQ(judge_bytes(expected, 150.0 * mib, Carrier::nic).state, ByteState::unknown);
  EXPECT_EQ(judge_bytes(expected, 132.0 * mib, Carrier::nvlink).state, ByteState::unknown);
}

TEST(JudgeBytes, ProvesBetweenTheBoundsOfAnUnknownAlgorithm) {
  MovedBatch moved = batch("all_reduce", 64 * mib);
  moved.ranks = 8;
  moved.algorithm = "";
  const ExpectedBytes expected = expected_bytes(moved);
  EXPECT_EQ(judge_bytes(expected, 600.0 * mib).state, ByteState::proven);
  EXPECT_EQ(judge_bytes(expected, 600.0 * mib).reason,
            "NVLink counters: 600.0 MiB of 512.0 to 896.0 MiB");
  EXPECT_EQ(judge_bytes(expected, 400.0 * mib).state, ByteState::contradicted);
  MovedBatch uneven = batch("alltoallv", 64 * mib);
  EXPECT_EQ(judge_bytes(expected_bytes(uneven), 10.0 * mib).state, ByteState::unknown);
}

TEST(JudgeBytes, SaysNothingWithoutCountersOrAModel) {
  const ExpectedBytes expected = expected_bytes(batch("all_reduce", 64 * mib));
  EXPECT_EQ(judge_bytes(expected, std::nullopt).state, ByteState::unknown);
  EXPECT_EQ(judge_bytes(expected, std::nullopt).reason,
            "the counters are not available on every GPU");
  EXPECT_EQ(judge_bytes(expected_bytes(batch("all_reduce", 8)), 16.0).state, ByteState::unknown);
}

TEST(JudgeAbsence, ProvesBelowAThousandth) {
  const ExpectedBytes expected = expected_bytes(batch("all_reduce", 64 * mib));
  EXPECT_EQ(judge_absence(expected, 0).state, ByteState::proven);
  EXPECT_EQ(judge_absence(expected, expected.low * 0.00099).state, ByteState::proven);
  EXPECT_EQ(judge_absence(expected, expected.low * 0.00101).state, ByteState::unknown);
  EXPECT_EQ(judge_absence(expected, expected.low).state, ByteState::contradicted);
  EXPECT_EQ(judge_absence(expected, std::nullopt).state, ByteState::unknown);
  EXPECT_EQ(judge_absence(expected, expected.low).reason,
            "NVLink counters: 128.0 MiB, 100 % of what the case moves");
}

TEST(ExpectedBytes, EveryMessageOfAWindowCounts) {
  MovedBatch batch{.operation = "message_rate", .size_bytes = mib, .ranks = 2, .operations = 3};
  batch.window = 64;
  const ExpectedBytes expected = expected_bytes(batch);
  EXPECT_DOUBLE_EQ(expected.low, 3.0 * 64 * mib);
  EXPECT_TRUE(expected.is_judged);
}

}  // namespace
}  // namespace viaduct
