// Everything that nccl-tests has, on real GPUs: every operation, datatype, reduction, root,
// placement, traffic and kind of buffer at a tiny, an odd and a middling size, each result to the
// bit.

#include "collectives/collective.hpp"
#include "gpu/gpu_test.hpp"
#include "gpu/worker_pair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace viaduct {
namespace {

constexpr std::uint64_t sizes[] = {8, (std::uint64_t{4} << 10U) + 4, std::uint64_t{1} << 20U};

/// One rank misaligned buffers by one element of the widest type, which fits every type.
constexpr std::uint64_t misalignment = 8;

struct Buffers {
  const char* name;
  BufferSpec spec;
};

constexpr Buffers buffers_under_test[] = {
    {"plain", {BufferKind::plain, 0}},
    {"misaligned", {BufferKind::plain, misalignment}},
    {"nccl", {BufferKind::nccl, 0}},
    {"registered", {BufferKind::registered, 0}},
    {"symmetric", {BufferKind::symmetric, 0}},
};

using Breadth = std::tuple<bool, std::size_t>;  // peer access, index of the buffers

class BreadthTest : public testing::TestWithParam<Breadth> {
 protected:
  void SetUp() override {
    if (const std::string reason = why_no_gpu(); !reason.empty()) {
      GTEST_SKIP() << reason;
    }
  }

  static bool has_peer_access() { return std::get<0>(GetParam()); }

  static const BufferSpec& buffers() { return buffers_under_test[std::get<1>(GetParam())].spec; }

  static WorkersSetting setting() {
    WorkersSetting setting{.environment = plain_environment(),
                           .ranks = std::min(visible_devices(), 2)};
    if (!has_peer_access()) {
      setting.environment.insert_or_assign("NCCL_P2P_DISABLE", std::string("1"));
    }
    const bool is_registered =
        buffers().kind == BufferKind::registered || buffers().kind == BufferKind::symmetric;
    if (is_registered) {
      setting.environment.insert_or_assign("NCCL_LOCAL_REGISTER", std::string("1"));
    }
    return setting;
  }

  void run_case(WorkerPair& workers, const Case& c);

  std::uint64_t right_ = 0;
  std::map<std::string, std::uint64_t> skipped_;  ///< by reason
};

void BreadthTest::run_case(WorkerPair& workers, const Case& c) {
  const auto described =
      workers.ask<CaseDescription>(DescribeRequest{.c = c, .buffers = buffers()});
  if (const std::string& reason = described.front().skip_reason; !reason.empty()) {
    ++skipped_[reason];
    return;
  }
  const OpenSpec open{.c = c, .seed = 5, .slots = 2, .buffers = buffers()};
  for (const OpenResult& opened : workers.ask<OpenResult>(OpenRequest{open})) {
    EXPECT_EQ(opened.wrong, std::optional<std::uint64_t>{0});
  }
  const BatchSpec spec{.operations = 3, .lead_in_operations = 1, .checked = true};
  for (const BatchResult& result : workers.ask<BatchResult>(BatchRequest{spec})) {
    EXPECT_EQ(result.wrong, std::optional<std::uint64_t>{0});
    EXPECT_GT(result.checked_operations, 0U);
  }
  workers.ask<Done>(CloseRequest{});
  ++right_;
}

std::vector<ReduceOp> reductions_of(const Collective& collective) {
  return collective.reduces ? all_reduce_ops() : std::vector<ReduceOp>{ReduceOp::sum};
}

std::vector<Traffic> traffics_of(const Collective& collective) {
  std::vector<Traffic> traffics{Traffic{}};
  if (collective.has_traffic) {
    traffics.push_back(Traffic{.name = "skewed"});
    traffics.push_back(Traffic{.name = "file", .weights = {0.25, 1, 0, 0.5}});
  }
  return traffics;
}

/// The shape of the cases of one operation, without datatype and size.
std::vector<Case> shapes_of(const Collective& collective, int ranks) {
  std::vector<Case> shapes;
  for (const ReduceOp reduction : reductions_of(collective)) {
    for (const Placement placement : {Placement::out_of_place, Placement::in_place}) {
      for (int root = 0; root < (collective.has_root ? ranks : 1); ++root) {
        for (const Traffic& traffic : traffics_of(collective)) {
          Case c;
          c.operation = collective.name;
          c.window = collective.default_window;
          c.reduction = reduction;
          c.placement = placement;
          c.root = root;
          c.traffic = traffic;
          shapes.push_back(c);
        }
      }
    }
  }
  return shapes;
}

TEST_P(BreadthTest, IsRightToTheBit) {
  WorkerPair workers(setting());
  for (const Collective* collective : collectives::all()) {
    for (Case c : shapes_of(*collective, static_cast<int>(workers.hellos().size()))) {
      for (const Datatype datatype : all_datatypes()) {
        for (const std::uint64_t size : sizes) {
          c.datatype = datatype;
          c.size_bytes = size;
          SCOPED_TRACE(describe(c));
          run_case(workers, c);
          if (HasFailure()) {
            return;
          }
        }
      }
    }
  }
  workers.ask<Done>(QuitRequest{});
  std::printf("%llu cases right\n", static_cast<unsigned long long>(right_));
  for (const auto& [reason, count] : skipped_) {
    std::printf("%llu skipped: %s\n", static_cast<unsigned long long>(count), reason.c_str());
  }
  const bool is_forbidden = buffers().kind == BufferKind::symmetric && !has_peer_access();
  EXPECT_EQ(right_ == 0, is_forbidden);
}

INSTANTIATE_TEST_SUITE_P(Buffers,
                         BreadthTest,
                         testing::Combine(testing::Bool(),
                                          testing::Range(std::size_t{0},
                                                         std::size(buffers_under_test))),
                         [](const auto& each) {
                           const std::string path =
                               std::get<0>(each.param) ? "default_" : "no_p2p_";
                           return path + buffers_under_test[std::get<1>(each.param)].name;
                         });

/// The worker double flips one bit of each output before it is compared: first byte, last byte,
/// anywhere, every bit in turn.
class FlippedBit : public testing::TestWithParam<Datatype> {
 protected:
  void SetUp() override {
    if (const std::string reason = why_no_gpu(); !reason.empty()) {
      GTEST_SKIP() << reason;
    }
  }
};

TEST_P(FlippedBit, IsFoundInEverySlotOnEveryRank) {
  WorkersSetting setting{.environment = plain_environment(),
                         .ranks = std::min(visible_devices(), 2),
                         .program = flipping_worker_program()};
  WorkerPair workers(setting);
  Case c;
  c.operation = "all_reduce";
  c.datatype = GetParam();
  c.size_bytes = 4096;
  const auto described = workers.ask<CaseDescription>(DescribeRequest{.c = c});
  if (!described.front().skip_reason.empty()) {
    GTEST_SKIP() << described.front().skip_reason;
  }
  constexpr std::uint64_t slots = 16;
  const OpenSpec open{.c = c, .seed = 9, .slots = slots};
  for (const OpenResult& opened : workers.ask<OpenResult>(OpenRequest{open})) {
    EXPECT_EQ(opened.wrong, std::optional<std::uint64_t>{1});
  }
  for (int batch = 0; batch < 8; ++batch) {
    const BatchSpec spec{.operations = slots, .checked = true};
    for (const BatchResult& result : workers.ask<BatchResult>(BatchRequest{spec})) {
      EXPECT_EQ(result.checked_operations, slots);
      EXPECT_EQ(result.wrong, std::optional<std::uint64_t>{slots}) << "one flip in each slot";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Datatypes,
                         FlippedBit,
                         testing::ValuesIn(all_datatypes()),
                         [](const auto& each) { return std::string(name(each.param)); });

}  // namespace
}  // namespace viaduct
