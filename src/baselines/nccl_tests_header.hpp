#pragma once
// What the lines around a table of nccl-tests say: versions, settings, devices, footers. One line
// at a time; it keeps nothing.

#include "baselines/baseline.hpp"

#include <optional>
#include <string_view>

namespace viaduct {

/// Whether a run begins here: version, "Collective test starting" or the line of settings.
bool opens_run(std::string_view line);

/// The line of settings, "nThread 1 nGpus 1 minBytes ...": once in each run.
bool is_settings(std::string_view line);

/// Takes what the line says into the run. False: it says nothing of these.
bool take_header(std::string_view line, BaselineRun& run);

/// "#  Rank  0 Group  0 Pid 1001 on node-a device 0 [0000:1b:00] NVIDIA H200", also without group,
/// process and comment sign.
std::optional<BaselineDevice> device_of(std::string_view line);

/// "# Out of bounds values : 0 OK". Empty: another line.
std::optional<OutOfBounds> out_of_bounds_of(std::string_view line);

/// "# Avg bus bandwidth    : 67.385". Empty: another line, or no number.
std::optional<double> average_of(std::string_view line);

/// A line that says why a test ended early; the gravest first: NCCL's warning, the failed call, the
/// place in the test. 0: it says nothing of that.
int failure_rank(std::string_view line);

}  // namespace viaduct
