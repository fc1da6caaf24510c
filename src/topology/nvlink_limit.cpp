#include "topology/nvlink_limit.hpp"

#include "topology/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace viaduct {
namespace {

/// Links by rate; empty where a link that is up, or may be, has no known rate, or none is up.
std::map<double, int> links_by_rate(const GpuTopology& gpu) {
  std::map<double, int> rates;
  for (const NvLink& link : gpu.nvlinks) {
    if (link.is_up == false) {
      continue;
    }
    if (!link.is_up || !link.rate_gbs) {
      return {};
    }
    ++rates[*link.rate_gbs];
  }
  return rates;
}

}  // namespace

RateLimit nvlink_limit(const GpuTopology& gpu) {
  const auto rates = links_by_rate(gpu);
  if (rates.empty()) {
    return unknown_limit("the rates of its NVLinks are not known");
  }
  RateLimit limit{0.0, ""};
  for (const auto& [rate, links] : rates) {
    *limit.gbs += rate * links;
    limit.formula +=
        fmt::format("{}{} links x {} GB/s", limit.formula.empty() ? "" : " + ", links, rate);
  }
  return limit;
}

RateLimit nvlink_limit(const GpuTopology& a, const GpuTopology& b, int links) {
  const auto rates_a = links_by_rate(a);
  const auto rates_b = links_by_rate(b);
  if (rates_a.empty() || rates_b.empty()) {
    return unknown_limit("the rates of their NVLinks are not known");
  }
  const double rate = std::min(rates_a.begin()->first, rates_b.begin()->first);
  const int used = std::min({links, links_up(a), links_up(b)});
  return RateLimit{rate * used, fmt::format("{} links x {} GB/s", used, rate)};
}

}  // namespace viaduct
