#pragma once
// What `viaduct compare` prints: tables for people, JSON for programs. Pure.

#include "compare/comparison.hpp"

#include <string>

namespace viaduct {

/// One table for each curve (cases that differ in size only), then what the verdicts rest on and
/// what they can tell.
std::string comparison_text(const Comparison& comparison);

/// One object: a, b, margin, confidence, comparisons, rows, only_in_a, only_in_b, configuration,
/// notes, counts, exit_code. Every key always there, null where not known.
std::string comparison_json(const Comparison& comparison);

}  // namespace viaduct
