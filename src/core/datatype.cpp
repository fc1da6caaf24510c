#include "core/datatype.hpp"

#include "core/name_table.hpp"

#include <array>

namespace viaduct {
namespace {

struct Row {
  Datatype value;
  const char* name;
  const char* nccl_tests_name;
  std::size_t bytes;
  bool floating;
};

constexpr std::array<Row, datatype_count> rows{{
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
}};

const Row& row_of(Datatype type) {
  for (const Row& row : rows) {
    if (row.value == type) {
      return row;
    }
  }
  throw Error(ErrorKind::internal,
              "no datatype has the number " + std::to_string(static_cast<int>(type)));
}

std::vector<Datatype> datatypes_in_order() {
  std::vector<Datatype> types;
  for (const Row& row : rows) {
    types.push_back(row.value);
  }
  return types;
}

}  // namespace

std::size_t element_bytes(Datatype type) {
  return row_of(type).bytes;
}

const char* name(Datatype type) {
  return row_of(type).name;
}

Datatype parse_datatype(std::string_view text) {
  std::vector<std::string> known;
  for (const Row& row : rows) {
    if (text == row.name || text == row.nccl_tests_name) {
      return row.value;
    }
    known.emplace_back(row.name);
  }
  throw Error(ErrorKind::usage, unknown_name_message("datatype", text, known));
}

const std::vector<Datatype>& all_datatypes() {
  static const std::vector<Datatype> types = datatypes_in_order();
  return types;
}

bool is_floating(Datatype type) {
  return row_of(type).floating;
}

}  // namespace viaduct
