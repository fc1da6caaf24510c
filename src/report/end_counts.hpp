#pragma once
// The counts in the last line of a result file, from the records before it.

#include "report/record_json.hpp"

#include <string>
#include <vector>

namespace viaduct {

/// `end` with its counts of measurements, skipped, lost and wrong ones filled in.
End with_counts(End end, const std::vector<Measurement>& measurements);

/// There are measurements, and every one is skipped: nothing that was asked for can run here. Such
/// a run does not end with 0.
bool all_skipped(const std::vector<Measurement>& measurements);

/// One line for that run, with the first reason.
std::string nothing_ran_text(const std::vector<Measurement>& measurements);

}  // namespace viaduct
