#pragma once
// Why a row of another tool's table could not be read: the column, the value as it stands there,
// and the right form. It knows values, not formats.

#include "baselines/baseline.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace viaduct {

enum class CellForm {
  whole,     ///< bytes, elements: a whole number that 64 bits hold
  measured,  ///< time and rates: a number of 0 or more, or a word for none (N/A, nan)
};

/// What is wrong with a cell: "time '7,49' has a decimal comma; the right form is 7.49". Empty:
/// nothing.
std::string cell_fault(std::string_view column, std::string_view value, CellForm form);

/// The same of a value in JSON; nullptr and null are not there, which is no fault.
std::string cell_fault(std::string_view column, const nlohmann::json* value, CellForm form);

/// Rows that are left out, each with the first thing that is wrong with it.
class RowFaults {
 public:
  /// `place` is "line 12" or "row 3 of results".
  void add(const std::string& place, const std::string& fault);

  [[nodiscard]] std::size_t count() const { return count_; }

  /// "9 rows cannot be read and are left out, the first is line 12: time '7,49' has ...".
  [[nodiscard]] std::string text() const;

 private:
  std::size_t count_ = 0;
  std::string first_;
};

}  // namespace viaduct
