#include "measure/byte_count.hpp"

#include "control/single_rank.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;

/// A counter that the test moves.
class FakeWatch : public CaseWatch {
 public:
  WireBytes sent = no_wire_bytes();
  WireBytes before;
  int readings = 0;

  void begin_case() override {}

  void start_count() override {
    ++readings;
    before = sent;
  }

  WireBytes stop_count() override {
    ++readings;
    const auto since = [](const auto& now, const auto& then) {
      return now && then ? std::optional(*now - *then) : std::nullopt;
    };
    return WireBytes{.nvlink = since(sent.nvlink, before.nvlink),
                     .pcie = since(sent.pcie, before.pcie),
                     .rdma = since(sent.rdma, before.rdma),
                     .net = since(sent.net, before.net)};
  }

  void end_case() override {}

  std::optional<AlgorithmChoice> algorithm(const PathSpec&, const Case&, std::size_t) override {
    return {};
  }

  std::optional<CaseEvidence> evidence(const WatchedCase&) override { return {}; }

  std::string health() override { return ""; }

  std::optional<PathEvidence> path_evidence(const PathSpec&, std::size_t) override { return {}; }
};

class ByteCountTest : public testing::Test {
 protected:
  ByteCountTest() { count_.begin(2); }

  /// A batch on lane 1 during which `sent` bytes go out.
  void run(const BatchOrder& order, std::uint64_t size_bytes, double sent, const char* checked) {
    count_.before(1, order, size_bytes);
    watch_.sent = watch_.sent +
                  WireBytes{.nvlink = sent, .pcie = 2 * sent, .rdma = 3 * sent, .net = 4 * sent};
    AgreedBatch batch;
    batch.groups.emplace_back().checked = checked;
    count_.after(1, order, batch);
  }

  static BatchOrder order(std::uint64_t operations, std::uint64_t lead_in) {
    BatchOrder order;
    order.spec.operations = operations;
    order.spec.lead_in_operations = lead_in;
    return order;
  }

  SingleRank control_;
  Steps steps_{control_, StepRules{}};
  GroupMap groups_ = GroupMap::of_all(1);
  FakeWatch watch_;
  ByteCount count_{&watch_, steps_, groups_, Method::viaduct};
};

TEST_F(ByteCountTest, AddsBytesAndEveryOperationInBetween) {
  run(order(4, 2), 64 * mebibyte, 1000, "timed");
  run(order(4, 2), 64 * mebibyte, 500, "extra");
  const auto sent = count_.agree();
  EXPECT_FALSE(sent[0][0].has_value());
  ASSERT_TRUE(sent[1][0].has_value());
  EXPECT_EQ(sent[1][0]->bytes,
            (WireBytes{.nvlink = 1500, .pcie = 3000, .rdma = 4500, .net = 6000}));
  EXPECT_EQ(sent[1][0]->operations, 6U + 7U);
}

TEST_F(ByteCountTest, LeavesSmallBatchesAlone) {
  run(order(63, 0), mebibyte, 1000, "none");
  EXPECT_EQ(watch_.readings, 0);
  EXPECT_FALSE(count_.agree()[1][0].has_value());
  run(order(64, 0), mebibyte, 1000, "none");
  EXPECT_EQ(count_.agree()[1][0]->operations, 64U);
}

TEST_F(ByteCountTest, CountsThreeBatchesAndNoMore) {
  for (int i = 0; i < 10; ++i) {
    run(order(1, 0), 64 * mebibyte, 7, "none");
  }
  EXPECT_EQ(count_.agree()[1][0]->bytes.nvlink, 21.0);
  EXPECT_EQ(watch_.readings, 6);
}

TEST_F(ByteCountTest, ACounterThatIsMissingIsNotZero) {
  watch_.sent.nvlink.reset();
  watch_.sent.rdma.reset();
  run(order(1, 0), 64 * mebibyte, 0, "none");
  watch_.sent.nvlink = 0;
  run(order(1, 0), 64 * mebibyte, 10, "none");
  const auto sent = count_.agree();
  ASSERT_TRUE(sent[1][0].has_value());
  EXPECT_EQ(sent[1][0]->bytes, (WireBytes{.nvlink = {}, .pcie = 20, .rdma = {}, .net = 40}));
}

TEST_F(ByteCountTest, TheMethodOfNcclTestsRunsOneMore) {
  ByteCount count(&watch_, steps_, groups_, Method::nccl_tests);
  count.begin(1);
  count.before(0, order(10, 0), 64 * mebibyte);
  AgreedBatch batch;
  batch.groups.emplace_back();
  count.after(0, order(10, 0), batch);
  EXPECT_EQ(count.agree()[0][0]->operations, 11U);
}

TEST_F(ByteCountTest, WithoutAWatchNothingIsCounted) {
  ByteCount count(nullptr, steps_, groups_, Method::viaduct);
  count.begin(1);
  count.before(0, order(10, 0), 64 * mebibyte);
  count.after(0, order(10, 0), AgreedBatch{});
  EXPECT_FALSE(count.agree()[0][0].has_value());
}

}  // namespace
}  // namespace viaduct
