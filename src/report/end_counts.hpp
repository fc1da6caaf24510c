#pragma once
// The counts in the last line of a result file, from the records before it.

#include "report/record_json.hpp"

#include <vector>

namespace viaduct {

/// `end` with its counts of measurements, skipped, lost and wrong ones filled in.
End with_counts(End end, const std::vector<Measurement>& measurements);

}  // namespace viaduct
