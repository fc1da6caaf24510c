#include "paths/effective_level.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string_view>

namespace viaduct {

namespace {

/// NCCL reads leading digits, with 0x for hexadecimal and 0 for octal, and passes over the rest.
long leading_number(const std::string& text) {
  return std::strtol(text.c_str(), nullptr, 0);
}

/// The level that a value names; empty: NCCL ignores the value.
std::string level_of(const std::string& value) {
  const std::vector<std::string>& names = p2p_level_names();
  if (std::find(names.begin(), names.end(), value) != names.end()) {
    return value;
  }
  if (value.empty() || std::isdigit(static_cast<unsigned char>(value.front())) == 0) {
    return "";
  }
  static constexpr std::array<std::string_view, 6> numbered{
      "LOC", "PIX", "PXB", "PHB", "SYS", "SYS"};
  const long number = leading_number(value);
  const long last = static_cast<long>(numbered.size()) - 1;
  return std::string(numbered[static_cast<std::size_t>(std::clamp(number, 0L, last))]);
}

}  // namespace

const std::vector<std::string>& p2p_level_names() {
  static const std::vector<std::string> names{
      "LOC", "NVL", "NVB", "C2C", "PIX", "PXB", "P2C", "PXN", "PHB", "SYS"};
  return names;
}

EffectiveLevel effective_p2p_level(const std::optional<std::string>& disable,
                                   const std::optional<std::string>& level) {
  if (disable && leading_number(*disable) == 1) {
    return {"LOC", "NCCL_P2P_DISABLE set by environment to 1"};
  }
  const std::string named = level ? level_of(*level) : "";
  return {named, named.empty() ? "" : "NCCL_P2P_LEVEL set by environment to " + named};
}

}  // namespace viaduct
