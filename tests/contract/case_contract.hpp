#pragma once
// Cases of every collective on every transport: described, opened and run in batches, in every
// placement and mode, for every kind of root and traffic. A suite for a type HARNESS as in
// transport_contract.hpp.

#include "batch/case_runner.hpp"
#include "collectives/collective.hpp"
#include "oracle/expected.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace viaduct {

/// Uneven, with blocks of nothing, and from three ranks on a rank that sends nothing.
inline Traffic contract_matrix(int ranks) {
  Traffic traffic{.name = "contract", .weights = {}};
  for (int from = 0; from < ranks; ++from) {
    for (int to = 0; to < ranks; ++to) {
      traffic.weights.push_back(from == 2 ? 0 : (3 * from + to + 1) % 4);
    }
  }
  return traffic;
}

/// How much is varied: at the edge sizes only what may differ there.
enum class Breadth { edge, full };

/// The dimensions of a case, one at a time from a plain one.
class ContractCases {
 public:
  ContractCases(const Collective& entry, std::uint64_t size_bytes, int ranks)
      : entry_(entry),
        ranks_(ranks) {
    first_.operation = entry.name;
    first_.size_bytes = size_bytes;
    first_.window = entry.default_window;
  }

  [[nodiscard]] std::vector<Case> all(Breadth breadth) {
    for (const Placement placement : {Placement::out_of_place, Placement::in_place}) {
      first_.placement = placement;
      cases_.push_back(first_);
      add_traffics();
      if (breadth == Breadth::full) {
        add_modes();
        add_roots();
        add_reductions();
        add_windows();
      }
    }
    return cases_;
  }

 private:
  void add_modes() {
    for (const Mode mode : {Mode::each, Mode::graph}) {
      cases_.push_back(first_);
      cases_.back().mode = mode;
      cases_.back().datatype = Datatype::int32;
    }
  }

  void add_roots() {
    for (int root = 1; entry_.has_root && root < ranks_; ++root) {
      cases_.push_back(first_);
      cases_.back().root = root;
    }
  }

  /// Of one message more than the default: one where that is a single one.
  void add_windows() {
    if (entry_.default_window > 0) {
      cases_.push_back(first_);
      cases_.back().window = entry_.default_window + 1;
    }
  }

  void add_traffics() {
    if (entry_.has_traffic) {
      cases_.push_back(first_);
      cases_.back().traffic.name = "skewed";
      cases_.push_back(first_);
      cases_.back().traffic = contract_matrix(ranks_);
    }
  }

  /// Of one type: VerbContract has all.
  void add_reductions() {
    for (const ReduceOp op : all_reduce_ops()) {
      if (entry_.reduces && why_no_pattern(ranks_, first_.datatype, op).empty()) {
        cases_.push_back(first_);
        cases_.back().reduction = op;
      }
    }
  }

  const Collective& entry_;
  int ranks_;
  Case first_;
  std::vector<Case> cases_;
};

/// A plain case may be left out for a reason of the operation or of the transport only.
inline void expect_reason(Device device, const Case& c, const std::string& reason) {
  const Collective& entry = collectives::get(c.operation);
  const int ranks = device.transport.size();
  const bool has_form = c.placement == Placement::out_of_place || entry.has_in_place;
  const bool has_mode = c.mode != Mode::graph || device.timeline.has_graphs();
  const bool fits = entry.why_not == nullptr || entry.why_not(ranks, c.traffic).empty();
  EXPECT_TRUE(!has_form || !has_mode || !fits ||
              !device.transport.why_not(c, entry.reduces).empty())
      << reason;
}

inline void run_contract_batches(CaseRunner& runner, const Case& c, bool has_data) {
  for (const std::uint64_t operations : {2U, 7U}) {
    const BatchResult batch = runner.run(BatchSpec{
        .operations = operations, .replays = 2, .lead_in_operations = 2, .checked = true});
    EXPECT_EQ(batch.samples_us.size(), c.mode == Mode::each ? operations : 1U);
    EXPECT_EQ(batch.wrong.value_or(0), 0U);
    EXPECT_EQ(batch.wrong.has_value(), has_data);
    for (const double sample : batch.samples_us) {
      EXPECT_GE(sample, 0);
    }
  }
}

inline void run_contract_case(Device device, const Case& c, Method method) {
  SCOPED_TRACE(describe(c));
  const CaseDescription described = describe_case(device, c, BufferSpec{}, method);
  if (!described.skip_reason.empty()) {
    expect_reason(device, c, described.skip_reason);
    return;
  }
  CaseRunner runner(device);
  const OpenResult opened = runner.open(OpenSpec{.c = c,
                                                 .seed = 3,
                                                 .slots = 3,
                                                 .buffers = BufferSpec{},
                                                 .method = method,
                                                 .max_bytes = 3 * c.size_bytes,
                                                 .check = true});
  const bool has_data = described.size_bytes != 0;
  EXPECT_EQ(opened.wrong.value_or(0), 0U);
  EXPECT_EQ(opened.wrong.has_value(), has_data);
  run_contract_batches(runner, c, has_data);
}

template <typename Harness>
class CaseContract : public testing::Test {
 protected:
  static void run_size(std::uint64_t size, Breadth breadth, Method method) {
    Harness::run([&](Device device) {
      for (const Collective* entry : collectives::all()) {
        ContractCases cases(*entry, size, device.transport.size());
        for (const Case& c : cases.all(breadth)) {
          run_contract_case(device, c, method);
        }
      }
    });
  }
};

TYPED_TEST_SUITE_P(CaseContract);

TYPED_TEST_P(CaseContract, SmallestSizesAreRight) {
  TestFixture::run_size(0, Breadth::edge, Method::viaduct);
  TestFixture::run_size(8, Breadth::edge, Method::viaduct);
}

TYPED_TEST_P(CaseContract, EveryFormIsRight) {
  TestFixture::run_size(20'004, Breadth::full, Method::viaduct);
}

TYPED_TEST_P(CaseContract, MethodNcclTestsIsRight) {
  TestFixture::run_size(0, Breadth::edge, Method::nccl_tests);
  TestFixture::run_size(16'384, Breadth::full, Method::nccl_tests);
}

REGISTER_TYPED_TEST_SUITE_P(CaseContract,
                            SmallestSizesAreRight,
                            EveryFormIsRight,
                            MethodNcclTestsIsRight);

}  // namespace viaduct
