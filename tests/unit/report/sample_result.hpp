#pragma once
// A result with every status and every optional field, for the tests of this folder.

#include "report/result_reader.hpp"

namespace viaduct::test {

Manifest sample_manifest();

/// all_reduce of 1 MiB on `path` with numbers.
Measurement sample_measurement(const std::string& path, double median_us);

Verdict sample_verdict(const Measurement& measurement, const std::string& reference, double ratio);

/// Paths direct, host-staged and socket over sizes 0, 8 and 1 MiB: ok, skipped, lost, wrong,
/// unchecked, unsettled, capped.
PairFinding sample_finding();

Result sample_result();

}  // namespace viaduct::test
