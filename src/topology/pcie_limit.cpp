#include "topology/pcie_limit.hpp"

#include <fmt/format.h>

#include <array>

namespace viaduct {
namespace {

struct PcieGeneration {
  double lane_gts;
  double code;  ///< share of the line rate that is left for packets
  const char* code_text;
  double overhead_bytes;  ///< of a packet
};

constexpr double payload_bytes = 256;
constexpr double old_code = 8.0 / 10;
constexpr double new_code = 128.0 / 130;
constexpr double flit_code = 236.0 / 256;

constexpr std::array<PcieGeneration, 6> generations{{
    {2.5, old_code, "8/10", 24},
    {5, old_code, "8/10", 24},
    {8, new_code, "128/130", 24},
    {16, new_code, "128/130", 24},
    {32, new_code, "128/130", 24},
    {64, flit_code, "236/256", 16},
}};

}  // namespace

RateLimit pcie_limit(const PcieLink& link) {
  const auto generation = link.generation_max ? link.generation_max : link.generation;
  const auto width = link.width ? link.width : link.width_max;
  if (!generation || !width) {
    return unknown_limit("its PCIe generation or width is not known");
  }
  if (*generation < 1 || *generation > static_cast<int>(generations.size()) || *width < 1) {
    return unknown_limit(fmt::format("PCIe {} x{} is no link that is known", *generation, *width));
  }
  constexpr double bits_per_byte = 8;
  const PcieGeneration& facts = generations[static_cast<std::size_t>(*generation) - 1];
  const double packet_bytes = payload_bytes + facts.overhead_bytes;
  const double gbs =
      facts.lane_gts / bits_per_byte * *width * facts.code * payload_bytes / packet_bytes;
  return RateLimit{gbs,
                   fmt::format("PCIe {} x{}: {} GT/s x {} / 8 x {} x {}/{}",
                               *generation,
                               *width,
                               facts.lane_gts,
                               *width,
                               facts.code_text,
                               payload_bytes,
                               packet_bytes)};
}

}  // namespace viaduct
