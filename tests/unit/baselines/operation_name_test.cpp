#include "baselines/operation_name.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

TEST(OperationName, ReadsWhatTheToolsCallThem) {
  EXPECT_EQ(operation_of("all_reduce_perf"), "all_reduce");
  EXPECT_EQ(operation_of("./build/all_gather_perf"), "all_gather");
  EXPECT_EQ(operation_of("ReduceScatter"), "reduce_scatter");
  EXPECT_EQ(operation_of("AllToAll"), "alltoall");
  EXPECT_EQ(operation_of("all_to_all_perf"), "alltoall");
  EXPECT_EQ(operation_of("sendrecv_perf"), "sendrecv");
  EXPECT_EQ(operation_of("hypercube_perf_mpi"), "hypercube");
  EXPECT_EQ(operation_of("/opt/x/all_reduce"), "all_reduce");
  EXPECT_EQ(operation_of("foo_perf"), "");
  EXPECT_EQ(operation_of(""), "");
}

TEST(OperationName, ReadsDatatypes) {
  EXPECT_EQ(datatype_of("float"), "float32");
  EXPECT_EQ(datatype_of("half"), "float16");
  EXPECT_EQ(datatype_of("f8e4m3"), "float8e4m3");
  EXPECT_EQ(datatype_of("fp8_e5m2"), "float8e5m2");
  EXPECT_EQ(datatype_of("char"), "int8");
  EXPECT_EQ(datatype_of("complex"), "complex");
  EXPECT_EQ(bytes_of_type("float16"), 2U);
  EXPECT_FALSE(bytes_of_type("complex"));
}

// doc/PERFORMANCE.md of nccl-tests.
TEST(OperationName, KnowsTheFactorsOfBusBandwidth) {
  EXPECT_EQ(bus_factor_of("all_reduce", 8), 1.75);
  EXPECT_EQ(bus_factor_of("all_gather", 2), 0.5);
  EXPECT_EQ(bus_factor_of("broadcast", 8), 1.0);
  EXPECT_FALSE(bus_factor_of("all_reduce", 1));
  EXPECT_FALSE(bus_factor_of("foo", 8));
}

}  // namespace
}  // namespace viaduct
