#include "core/host_topology.hpp"

#include <charconv>

namespace viaduct {
namespace {

struct DistanceWord {
  DistanceKind kind;
  const char* word;
};

constexpr DistanceWord distance_words[] = {
    {DistanceKind::unknown, ""},
    {DistanceKind::self, "X"},
    {DistanceKind::pix, "PIX"},
    {DistanceKind::pxb, "PXB"},
    {DistanceKind::phb, "PHB"},
    {DistanceKind::node, "NODE"},
    {DistanceKind::sys, "SYS"},
};

constexpr std::string_view nvlink_word = "NV";

}  // namespace

std::string label(const Distance& distance) {
  if (distance.kind == DistanceKind::nvlink) {
    return std::string(nvlink_word) + std::to_string(distance.nvlinks);
  }
  for (const DistanceWord& row : distance_words) {
    if (row.kind == distance.kind) {
      return row.word;
    }
  }
  return "";
}

std::optional<Distance> distance_from_label(std::string_view text) {
  for (const DistanceWord& row : distance_words) {
    if (text == row.word) {
      return Distance{row.kind, 0};
    }
  }
  if (text.substr(0, nvlink_word.size()) != nvlink_word) {
    return std::nullopt;
  }
  text.remove_prefix(nvlink_word.size());
  Distance distance{DistanceKind::nvlink, 0};
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, distance.nvlinks);
  const bool is_number = error == std::errc() && at == end && distance.nvlinks > 0;
  return is_number ? std::optional(distance) : std::nullopt;
}

}  // namespace viaduct
