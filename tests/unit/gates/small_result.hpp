#pragma once
// A result of two paths over a few sizes, and gates on it, for the tests of this folder.

#include "gates/gate.hpp"
#include "report/result_reader.hpp"

#include <string>

namespace viaduct::test {

/// all_reduce of 1 MiB with 20 samples and an interval of `half_width` on both sides.
Measurement small_measurement(const std::string& path, double median_us, double half_width = 0.01);

/// Paths direct (100, 200, 400 us) and staged (1000, 2000, 4000 us) at 1M, 2M, 4M, complete.
Result small_result();

/// busbw_gbs of every row at least that; change what the test is about.
Gate bandwidth_gate(double at_least);

}  // namespace viaduct::test
