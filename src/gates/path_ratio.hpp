#pragma once
// The time of one path over that of another on the same case.

#include "gates/judging.hpp"
#include "gates/measured_value.hpp"

#include <optional>
#include <string>

namespace viaduct {

/// From batches paired round by round where the result has that verdict, either way round; else
/// from the two medians with the widest interval that theirs allow. `note` says which, or why there
/// is none.
std::optional<MeasuredValue> time_ratio(const Judging& judging,
                                        const Measurement& m,
                                        const std::string& reference,
                                        std::string& note);

}  // namespace viaduct
