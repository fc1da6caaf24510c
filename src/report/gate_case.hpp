#pragma once
// The verdict of a gate as a JUnit test case.

#include "core/gate_verdict.hpp"
#include "report/junit_xml.hpp"

namespace viaduct {

/// A gate that fails is a failure; one that is unclear or was left out is skipped, with the reason.
JunitCase junit_case(const GateVerdict& gate);

}  // namespace viaduct
