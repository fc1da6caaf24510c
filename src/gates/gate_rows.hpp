#pragma once
// Which measurements a gate is about.

#include "gates/gate.hpp"
#include "report/result_reader.hpp"

#include <string>
#include <vector>

namespace viaduct {

/// In the order of the result. A gate of kind ratio is not about its reference path.
std::vector<const Measurement*> rows_of(const Gate& gate, const Result& result);

/// Every word that the filter lists must be met by some row, or the gate would be green over what
/// was never measured. Empty: all are; else the first that is not, with what the result has.
std::string unmet_word(const Gate& gate,
                       const Result& result,
                       const std::vector<const Measurement*>& rows);

}  // namespace viaduct
