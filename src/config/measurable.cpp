#include "config/measurable.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace viaduct {

namespace {

constexpr std::array datatypes{Datatype::float32, Datatype::int32};
constexpr std::array reductions{ReduceOp::sum};

template <typename Values>
std::string names_of(const Values& values) {
  std::string text;
  for (const auto value : values) {
    text += text.empty() ? "" : ", ";
    text += name(value);
  }
  return text;
}

[[noreturn]] void refuse(std::string_view what, std::string_view text, const std::string& allowed) {
  throw Error(
      ErrorKind::usage,
      fmt::format("{} '{}' cannot be measured by this version; allowed: {}", what, text, allowed));
}

}  // namespace

bool is_measurable(Datatype type) {
  return std::find(datatypes.begin(), datatypes.end(), type) != datatypes.end();
}

Datatype parse_measurable_datatype(std::string_view text) {
  if (text != "all") {
    const Datatype type = parse_datatype(text);
    if (is_measurable(type)) {
      return type;
    }
  }
  refuse("datatype", text, names_of(datatypes));
}

ReduceOp parse_measurable_reduction(std::string_view text) {
  if (text != "all") {
    const ReduceOp op = parse_reduce_op(text);
    if (std::find(reductions.begin(), reductions.end(), op) != reductions.end()) {
      return op;
    }
  }
  refuse("reduction", text, names_of(reductions));
}

}  // namespace viaduct
