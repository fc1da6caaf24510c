#include "core/case.hpp"

#include "core/path_spec.hpp"
#include "core/record.hpp"
#include "unit/core/thrown_error.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

TEST(Case, NamesGoBothWays) {
  EXPECT_STREQ(name(Placement::out_of_place), "out-of-place");
  EXPECT_STREQ(name(Placement::in_place), "in-place");
  EXPECT_STREQ(name(Mode::graph), "graph");
  EXPECT_STREQ(name(Mode::stream), "stream");
  EXPECT_STREQ(name(Mode::each), "each");
  EXPECT_STREQ(name(Method::viaduct), "viaduct");
  EXPECT_STREQ(name(Method::nccl_tests), "nccl-tests");
  EXPECT_STREQ(name(BufferKind::plain), "plain");
  EXPECT_STREQ(name(BufferKind::nccl), "nccl");
  EXPECT_EQ(parse_placement("out-of-place"), Placement::out_of_place);
  EXPECT_EQ(parse_placement("in-place"), Placement::in_place);
  EXPECT_EQ(parse_mode("graph"), Mode::graph);
  EXPECT_EQ(parse_mode("stream"), Mode::stream);
  EXPECT_EQ(parse_mode("each"), Mode::each);
  EXPECT_EQ(parse_method("viaduct"), Method::viaduct);
  EXPECT_EQ(parse_method("nccl-tests"), Method::nccl_tests);
  EXPECT_EQ(parse_buffer_kind("plain"), BufferKind::plain);
  EXPECT_EQ(parse_buffer_kind("nccl"), BufferKind::nccl);
}

TEST(Case, UnknownNamesShowTheRightForms) {
  const auto usage = ErrorKind::usage;
  test::expect_error(
      usage, [] { parse_placement("inplace"); }, {"placement 'inplace'", "'in-place'"});
  test::expect_error(usage, [] { parse_mode("burst"); }, {"mode 'burst'", "graph, stream, each"});
  test::expect_error(
      usage, [] { parse_method("nccltests"); }, {"method 'nccltests'", "'nccl-tests'"});
  test::expect_error(usage, [] { parse_buffer_kind("zzz"); }, {"buffers 'zzz'", "plain, nccl"});
  test::expect_error(usage, [] { parse_mode(""); }, {"mode ''", "graph, stream, each"});
}

TEST(Case, IsDescribedForMessages) {
  Case c;
  c.operation = "all_reduce";
  c.size_bytes = 8;
  c.mode = Mode::graph;
  EXPECT_EQ(describe(c), "all_reduce 8 float32 sum out-of-place graph");
  c.size_bytes = 64 << 20;
  c.root = 3;
  c.datatype = Datatype::int32;
  c.placement = Placement::in_place;
  EXPECT_EQ(describe(c), "all_reduce 64M int32 sum in-place graph root 3");
}

TEST(Record, StatusNamesGoBothWays) {
  for (const Status status : {Status::ok, Status::skipped, Status::lost, Status::wrong}) {
    EXPECT_EQ(parse_status(name(status)), status);
  }
  EXPECT_STREQ(name(Status::skipped), "skipped");
  test::expect_error(
      ErrorKind::usage, [] { parse_status("skip"); }, {"status 'skip'", "'skipped'"});
}

TEST(PathSpec, EnginesHaveNames) {
  EXPECT_STREQ(name(Engine::nccl), "nccl");
  EXPECT_STREQ(name(Engine::mpi), "mpi");
  test::expect_error(ErrorKind::internal, [] { name(static_cast<Engine>(9)); }, {"9"});
}

}  // namespace
}  // namespace viaduct
