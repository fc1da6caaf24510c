#pragma once
// A number of a measurement with its 95 % interval, in the unit that a gate compares.

#include "core/record.hpp"
#include "gates/gate.hpp"

#include <optional>
#include <string>

namespace viaduct {

struct MeasuredValue {
  double value = 0;
  double low = 0;  ///< low and high: the interval; both `value` where there is none
  double high = 0;
  bool has_interval = false;
};

/// Empty without samples. Bandwidths have the interval of the time, turned round. Too few samples
/// for 95 % (fewer than 6 behind the median) give no interval.
std::optional<MeasuredValue> value_of(const Measurement& m, Metric metric);

/// a / b of two that were not paired: the widest interval that theirs allow. Empty where b may be
/// 0.
std::optional<MeasuredValue> quotient(const MeasuredValue& a, const MeasuredValue& b);

MeasuredValue inverse(const MeasuredValue& ratio);

/// "262.4 [262.0, 263.1]", or "262.4 (no 95 % interval)".
std::string describe(const MeasuredValue& value);

}  // namespace viaduct
