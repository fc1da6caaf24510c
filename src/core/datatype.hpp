#pragma once
// Datatypes of operations: names, sizes, and how far integers are exact in them.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

enum class Datatype {
  int8,
  uint8,
  int32,
  uint32,
  int64,
  uint64,
  float16,
  bfloat16,
  float32,
  float64,
  float8e4m3,
  float8e5m2,
};

constexpr std::size_t datatype_count = 12;

/// Bytes of one element.
std::size_t element_bytes(Datatype type);

/// "float32"; the names of nccl-tests ("float", "half", "double", "f8e4m3") are read as well.
const char* name(Datatype type);

/// Throws Error(usage) with the nearest names.
Datatype parse_datatype(std::string_view text);

const std::vector<Datatype>& all_datatypes();

bool is_floating(Datatype type);

}  // namespace viaduct
