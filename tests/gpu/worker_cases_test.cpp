// viaduct-worker on real GPUs, one process each: every operation, placement and mode over sizes and
// paths.

#include "collectives/collective.hpp"
#include "gpu/gpu_test.hpp"
#include "gpu/worker_pair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <tuple>

namespace viaduct {
namespace {

enum class PathUnderTest { inherited, no_p2p };

const char* name(PathUnderTest path) {
  return path == PathUnderTest::inherited ? "default" : "no_p2p";
}

void PrintTo(PathUnderTest path, std::ostream* out) {
  *out << name(path);
}

constexpr std::uint64_t sizes[] = {
    0, 8, (std::uint64_t{4} << 10U) + 4, std::uint64_t{1} << 20U, std::uint64_t{64} << 20U};

WorkersSetting setting_for(PathUnderTest path) {
  WorkersSetting setting{.environment = plain_environment(),
                         .ranks = std::min(visible_devices(), 2)};
  if (path == PathUnderTest::no_p2p) {
    setting.environment.insert_or_assign("NCCL_P2P_DISABLE", std::string("1"));
  }
  return setting;
}

std::uint64_t batch_operations(std::uint64_t size_bytes) {
  return size_bytes > (std::uint64_t{1} << 20U) ? 3 : 10;
}

class WorkerCases : public testing::TestWithParam<std::tuple<PathUnderTest, std::string>> {
 protected:
  void SetUp() override {
    if (const std::string reason = why_no_gpu(); !reason.empty()) {
      GTEST_SKIP() << reason;
    }
  }

  static PathUnderTest path() { return std::get<0>(GetParam()); }

  static std::string operation() { return std::get<1>(GetParam()); }
};

bool can_run(const Case& c, int ranks) {
  const Collective& entry = collectives::get(c.operation);
  if (entry.why_not != nullptr && !entry.why_not(ranks, c.traffic).empty()) {
    return false;
  }
  // NCCL has neither a barrier nor an alltoall in place.
  const bool has_in_place = entry.has_in_place && c.operation != "alltoall";
  return c.operation != "barrier" && (c.placement == Placement::out_of_place || has_in_place);
}

/// Both ranks must see the same case, and only a form that the operation lacks may be left out.
bool is_offered(WorkerPair& workers, const Case& c) {
  const auto descriptions = workers.ask<CaseDescription>(DescribeRequest{.c = c});
  for (const CaseDescription& description : descriptions) {
    EXPECT_EQ(description.skip_reason, descriptions.front().skip_reason);
    EXPECT_EQ(description.count, descriptions.front().count);
    EXPECT_GT(description.free_bytes, description.fixed_bytes + 4 * description.slot_bytes);
  }
  EXPECT_EQ(descriptions.front().skip_reason.empty(),
            can_run(c, static_cast<int>(workers.hellos().size())))
      << descriptions.front().skip_reason;
  return descriptions.front().skip_reason.empty();
}

void expect_right_opening(const OpenResult& opened, const Case& c) {
  EXPECT_EQ(opened.allocator, "cudaMalloc");
  EXPECT_GT(opened.first_operation_us, 0);
  if (c.size_bytes > 0) {
    EXPECT_EQ(opened.wrong, std::optional<std::uint64_t>{0});
  } else {
    EXPECT_FALSE(opened.wrong.has_value());
  }
}

void expect_right_batch(const BatchResult& result, const BatchSpec& spec, const Case& c) {
  const std::size_t samples = c.mode == Mode::each ? spec.operations : 1;
  EXPECT_EQ(result.samples_us.size(), samples);
  for (const double sample : result.samples_us) {
    // Two marks with nothing between them may carry the same time.
    EXPECT_TRUE(c.size_bytes == 0 ? sample >= 0 : sample > 0) << sample;
    EXPECT_LT(sample, 1e6);
  }
  EXPECT_GT(result.wall_us, 0);
  if (spec.checked && c.size_bytes > 0) {
    EXPECT_EQ(result.wrong, std::optional<std::uint64_t>{0});
    EXPECT_NE(result.checked, "none");
    EXPECT_GT(result.checked_operations, 0U);
  } else {
    EXPECT_EQ(result.checked, "none");
    EXPECT_FALSE(result.wrong.has_value());
  }
}

void run_case(WorkerPair& workers, const OpenSpec& open) {
  const Case& c = open.c;
  for (const OpenResult& opened : workers.ask<OpenResult>(OpenRequest{open})) {
    expect_right_opening(opened, c);
  }
  for (const bool checked : {true, false, true}) {
    const BatchSpec spec{.operations = batch_operations(c.size_bytes),
                         .replays = c.mode == Mode::graph ? std::uint64_t{3} : std::uint64_t{1},
                         .lead_in_operations = 2,
                         .checked = checked};
    for (const BatchResult& result : workers.ask<BatchResult>(BatchRequest{spec})) {
      expect_right_batch(result, spec, c);
    }
  }
  workers.ask<Done>(CloseRequest{});
}

/// A window of large messages would be many GiB.
int window_of(const std::string& operation, std::uint64_t size_bytes) {
  const int window = collectives::get(operation).default_window;
  return size_bytes > (std::uint64_t{1} << 20U) ? std::min(window, 3) : window;
}

std::vector<Case> all_cases(const std::string& operation) {
  std::vector<Case> cases;
  for (const Placement placement : {Placement::out_of_place, Placement::in_place}) {
    for (const Mode mode : {Mode::graph, Mode::stream, Mode::each}) {
      for (const Datatype datatype : {Datatype::float32, Datatype::int32}) {
        for (const std::uint64_t size : sizes) {
          cases.push_back(Case{.operation = operation,
                               .size_bytes = size,
                               .datatype = datatype,
                               .placement = placement,
                               .mode = mode,
                               .window = window_of(operation, size)});
        }
      }
    }
  }
  return cases;
}

/// What an operation has besides: another root, other traffic.
std::vector<Case> further_cases(const std::string& operation, int ranks) {
  const Collective& entry = collectives::get(operation);
  std::vector<Case> cases;
  for (const Placement placement : {Placement::out_of_place, Placement::in_place}) {
    for (const std::uint64_t size : sizes) {
      const Case c{.operation = operation,
                   .size_bytes = size,
                   .placement = placement,
                   .window = window_of(operation, size)};
      for (int root = 1; entry.has_root && root < ranks; ++root) {
        cases.push_back(c);
        cases.back().root = root;
      }
      if (entry.has_traffic) {
        cases.push_back(c);
        cases.back().traffic.name = "skewed";
      }
    }
  }
  return cases;
}

std::vector<std::string> operations_of_nccl() {
  std::vector<std::string> operations = collectives::names();
  std::erase(operations, "barrier");
  return operations;
}

TEST_P(WorkerCases, AreRightAndTakeTime) {
  WorkerPair workers(setting_for(path()));
  int ran = 0;
  std::vector<Case> cases = all_cases(operation());
  const std::vector<Case> further =
      further_cases(operation(), static_cast<int>(workers.hellos().size()));
  cases.insert(cases.end(), further.begin(), further.end());
  for (const Case& c : cases) {
    SCOPED_TRACE(describe(c));
    if (is_offered(workers, c)) {
      run_case(workers, OpenSpec{.c = c, .seed = 3, .slots = 4});
      ++ran;
    }
    if (HasFailure()) {
      break;
    }
  }
  // With one GPU alone nothing runs between two.
  const bool is_alone = workers.hellos().size() == 1 && collectives::get(operation()).is_pairwise;
  EXPECT_GE(ran, is_alone ? 0 : 30);
  if (workers.hellos().size() > 1) {
    const std::string log = workers.nccl_log();
    EXPECT_NE(log.find(" via "), std::string::npos) << "NCCL named no transport";
    EXPECT_TRUE(path() == PathUnderTest::inherited || log.find(" via P2P") == std::string::npos);
  }
  workers.ask<Done>(QuitRequest{});
}

INSTANTIATE_TEST_SUITE_P(Paths,
                         WorkerCases,
                         testing::Combine(testing::Values(PathUnderTest::inherited,
                                                          PathUnderTest::no_p2p),
                                          testing::ValuesIn(operations_of_nccl())),
                         [](const auto& each) {
                           return std::string(name(std::get<0>(each.param))) + "_" +
                                  std::get<1>(each.param);
                         });

class Worker : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = why_no_gpu(); !reason.empty()) {
      GTEST_SKIP() << reason;
    }
  }
};

TEST_F(Worker, NamesItsGpuAndHasMemoryLeft) {
  WorkerPair workers(setting_for(PathUnderTest::inherited));
  for (std::size_t rank = 0; rank < workers.hellos().size(); ++rank) {
    const HelloReply& hello = workers.hellos()[rank];
    const DeviceProperties gpu = device_properties(static_cast<int>(rank));
    EXPECT_EQ(hello.visible_gpus, visible_devices());
    EXPECT_EQ(hello.gpu_name, gpu.name);
    EXPECT_EQ(hello.gpu_uuid, gpu.uuid);
    EXPECT_EQ(hello.bus_id, gpu.bus_id);
    EXPECT_EQ(hello.total_bytes, gpu.total_bytes);
    EXPECT_FALSE(hello.cpus.empty());
    EXPECT_GE(hello.nccl_running, 21800);
    EXPECT_GT(workers.inits()[rank].free_bytes, 0U);
    EXPECT_GT(workers.inits()[rank].seconds, 0.0);
    EXPECT_EQ(workers.inits()[rank].cpus, hello.cpus);
  }
}

TEST_F(Worker, SaysWhatNcclLacks) {
  WorkerPair workers(setting_for(PathUnderTest::inherited));
  const Case barrier{.operation = "barrier"};
  const Case in_place{
      .operation = "alltoall", .size_bytes = 4096, .placement = Placement::in_place};
  for (const Case& c : {barrier, in_place}) {
    for (const auto& description : workers.ask<CaseDescription>(DescribeRequest{.c = c})) {
      EXPECT_NE(description.skip_reason.find("NCCL"), std::string::npos) << describe(c);
    }
  }
}

TEST_F(Worker, RepeatsNcclTestsWithItsMemory) {
  WorkersSetting setting = setting_for(PathUnderTest::inherited);
  setting.method = Method::nccl_tests;
  WorkerPair workers(setting);
  const bool is_alone = workers.hellos().size() == 1;
  for (const std::string& operation : operations_of_nccl()) {
    if (is_alone && collectives::get(operation).is_pairwise) {
      continue;
    }
    for (const Mode mode : {Mode::stream, Mode::graph}) {
      const Case c{.operation = operation, .size_bytes = std::uint64_t{1} << 20U, .mode = mode};
      SCOPED_TRACE(describe(c));
      const OpenSpec open{.c = c,
                          .buffers = BufferSpec{BufferKind::nccl, 0},
                          .method = Method::nccl_tests,
                          .max_bytes = std::uint64_t{8} << 20U};
      for (const OpenResult& opened : workers.ask<OpenResult>(OpenRequest{open})) {
        EXPECT_EQ(opened.allocator,
                  workers.hellos().front().nccl_running >= 21900 ? "ncclMemAlloc" : "cudaMalloc");
        EXPECT_EQ(opened.wrong, std::optional<std::uint64_t>{0});
      }
      const BatchSpec spec{
          .operations = 20, .replays = mode == Mode::graph ? 5U : 1U, .checked = true};
      for (const BatchResult& result : workers.ask<BatchResult>(BatchRequest{spec})) {
        ASSERT_EQ(result.samples_us.size(), 1U);
        EXPECT_GT(result.samples_us.front(), 0);
        EXPECT_EQ(result.wrong, std::optional<std::uint64_t>{0});
        EXPECT_EQ(result.checked, "extra");
      }
    }
  }
}

TEST_F(Worker, ChecksEveryDatatype) {
  WorkerPair workers(setting_for(PathUnderTest::inherited));
  for (const Datatype datatype : all_datatypes()) {
    const Case c{.operation = "all_reduce", .size_bytes = 1000000, .datatype = datatype};
    SCOPED_TRACE(describe(c));
    const auto descriptions = workers.ask<CaseDescription>(DescribeRequest{.c = c});
    if (descriptions.front().skip_reason.empty()) {
      run_case(workers, OpenSpec{.c = c, .seed = 11, .slots = 3});
    } else {
      EXPECT_NE(descriptions.front().skip_reason.find("float8"), std::string::npos)
          << descriptions.front().skip_reason;
    }
  }
}

TEST_F(Worker, GoesOnAfterARequestThatItRefuses) {
  WorkerPair workers(setting_for(PathUnderTest::inherited));
  const Case wrong{.operation = "all_redcue", .size_bytes = 8};
  for (const Failure& failure : workers.ask<Failure>(DescribeRequest{.c = wrong})) {
    EXPECT_EQ(failure.kind, ErrorKind::usage);
    EXPECT_NE(failure.message.find("all_reduce"), std::string::npos) << failure.message;
  }
  for (const Failure& failure : workers.ask<Failure>(BatchRequest{})) {
    EXPECT_EQ(failure.kind, ErrorKind::usage);
  }
  const Case right{.operation = "all_reduce", .size_bytes = 4096};
  run_case(workers, OpenSpec{.c = right, .slots = 2});
}

}  // namespace
}  // namespace viaduct
