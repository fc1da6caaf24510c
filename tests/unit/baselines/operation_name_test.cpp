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

// A table of low rates, without ranks: sums of 1.5 times algbw are of all_reduce alone.
TEST(OperationName, IsDeducedFromFactorsOfLowRatesToo) {
  BaselineRun run;
  for (const double algbw : {0.96, 0.95, 0.9}) {
    BaselineRow row;
    row.size_bytes = 1 << 30;
    row.count = 1 << 28;
    row.datatype = "float32";
    row.reduction = "sum";
    row.out_of_place.emplace();
    row.out_of_place->algbw_gbs = algbw;
    row.out_of_place->busbw_gbs = algbw * 1.5;
    run.rows.push_back(row);
  }
  EXPECT_EQ(deduced_operation(run, {}), "all_reduce");
  for (BaselineRow& row : run.rows) {
    row.out_of_place->busbw_gbs = row.out_of_place->algbw_gbs;  // 2 ranks, or sendrecv
  }
  EXPECT_EQ(deduced_operation(run, {}), "");
}

TEST(OperationName, DerivesSizeAndCountFromEachOther) {
  BaselineRow row;
  row.datatype = "float32";
  row.count = 100;
  EXPECT_EQ(size_and_count(row, "all_reduce", 4).size_bytes, 400U);
  EXPECT_EQ(size_and_count(row, "all_gather", 4).size_bytes, 1600U);
  EXPECT_FALSE(size_and_count(row, "all_gather", std::nullopt).size_bytes);
  EXPECT_FALSE(size_and_count(row, "", 4).size_bytes);
  row.count.reset();
  row.size_bytes = 1600;
  EXPECT_EQ(size_and_count(row, "all_gather", 4).count, 100U);
  EXPECT_FALSE(size_and_count(row, "all_gather", 3).count);
  row.datatype = "complex";
  EXPECT_FALSE(size_and_count(row, "all_reduce", 4).count);
  row.count = 7;  // what the source says stays
  EXPECT_EQ(size_and_count(row, "all_reduce", 4).count, 7U);
}

}  // namespace
}  // namespace viaduct
