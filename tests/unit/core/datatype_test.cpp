#include "core/datatype.hpp"

#include "core/reduce_op.hpp"
#include "unit/core/thrown_error.hpp"

#include <gtest/gtest.h>

#include <set>

namespace viaduct {
namespace {

struct Expected {
  Datatype type;
  const char* name;
  const char* nccl_tests_name;
  std::size_t bytes;
  bool floating;
};

constexpr Expected table[] = {
    {Datatype::int8, "int8", "int8", 1, false},
    {Datatype::uint8, "uint8", "uint8", 1, false},
    {Datatype::int32, "int32", "int32", 4, false},
    {Datatype::uint32, "uint32", "uint32", 4, false},
    {Datatype::int64, "int64", "int64", 8, false},
    {Datatype::uint64, "uint64", "uint64", 8, false},
    {Datatype::float16, "float16", "half", 2, true},
    {Datatype::bfloat16, "bfloat16", "bfloat16", 2, true},
    {Datatype::float32, "float32", "float", 4, true},
    {Datatype::float64, "float64", "double", 8, true},
    {Datatype::float8e4m3, "float8e4m3", "f8e4m3", 1, true},
    {Datatype::float8e5m2, "float8e5m2", "f8e5m2", 1, true},
};

TEST(Datatype, TableIsRight) {
  for (const Expected& row : table) {
    EXPECT_STREQ(name(row.type), row.name);
    EXPECT_EQ(element_bytes(row.type), row.bytes) << row.name;
    EXPECT_EQ(is_floating(row.type), row.floating) << row.name;
    EXPECT_EQ(parse_datatype(row.name), row.type);
    EXPECT_EQ(parse_datatype(row.nccl_tests_name), row.type);
  }
}

TEST(Datatype, ListHoldsEveryTypeOnce) {
  const std::set<Datatype> types(all_datatypes().begin(), all_datatypes().end());
  EXPECT_EQ(all_datatypes().size(), std::size(table));
  EXPECT_EQ(types.size(), std::size(table));
}

TEST(Datatype, UnknownNamesShowTheNearest) {
  test::expect_error(
      ErrorKind::usage, [] { parse_datatype("float31"); }, {"datatype 'float31'", "'float32'"});
  test::expect_error(
      ErrorKind::usage, [] { parse_datatype("Float32"); }, {"did you mean 'float32'"});
  test::expect_error(
      ErrorKind::usage, [] { parse_datatype("qqqq"); }, {"known: int8, uint8", "float8e5m2"});
}

TEST(ReduceOp, NamesGoBothWays) {
  const std::vector<std::string> names = {"sum", "prod", "min", "max", "avg", "premulsum"};
  ASSERT_EQ(all_reduce_ops().size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(name(all_reduce_ops()[i]), names[i]);
    EXPECT_EQ(parse_reduce_op(names[i]), all_reduce_ops()[i]);
  }
  EXPECT_EQ(all_reduce_ops().front(), ReduceOp::sum);
  test::expect_error(
      ErrorKind::usage, [] { parse_reduce_op("summ"); }, {"reduction 'summ'", "'sum'"});
}

}  // namespace
}  // namespace viaduct
