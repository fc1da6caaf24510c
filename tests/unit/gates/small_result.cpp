#include "unit/gates/small_result.hpp"

namespace viaduct::test {

Measurement small_measurement(const std::string& path, double median_us, double half_width) {
  Measurement m;
  m.path = path;
  m.c.operation = "all_reduce";
  m.c.size_bytes = 1U << 20U;
  m.c.traffic.name = "";
  m.count = 1U << 18U;
  m.reduces = true;
  m.ranks = 2;
  TimeSummary time;
  time.median = median_us;
  time.low = median_us * (1 - half_width);
  time.high = median_us * (1 + half_width);
  time.min = median_us * 0.9;
  time.mean = median_us;
  time.max = median_us * 1.2;
  time.cv = 0.01;
  time.samples = 20;
  time.operations = 2000;
  m.time_us = time;
  m.algbw_gbs = static_cast<double>(m.c.size_bytes) / median_us * 1e-3;
  m.busbw_gbs = m.algbw_gbs;
  m.wrong = 0;
  m.checked = "timed";
  m.checked_operations = 40;
  return m;
}

Result small_result() {
  Result result;
  result.file = "small.jsonl";
  for (int step = 0; step < 3; ++step) {
    const double scale = 1U << static_cast<unsigned>(step);
    for (const auto& [path, median_us] :
         {std::pair{"direct", 100.0}, std::pair{"staged", 1000.0}}) {
      Measurement m = small_measurement(path, median_us * scale);
      m.c.size_bytes <<= static_cast<unsigned>(step);
      m.algbw_gbs = static_cast<double>(m.c.size_bytes) / m.time_us->median * 1e-3;
      m.busbw_gbs = m.algbw_gbs;
      result.measurements.push_back(m);
    }
  }
  result.end = End{};
  return result;
}

Gate bandwidth_gate(double at_least) {
  Gate gate;
  gate.name = "fast";
  gate.at_least = at_least;
  return gate;
}

}  // namespace viaduct::test
