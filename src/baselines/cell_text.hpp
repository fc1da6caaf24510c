#pragma once
// Cells of other tools' tables as numbers. What is no number is empty, never 0.

#include <cstdint>
#include <optional>
#include <string_view>

namespace viaduct {

/// A finite number, "12.3" or "1.2e+06"; empty for "N/A", "nan", "inf" and anything else.
std::optional<double> number_of(std::string_view text);

/// Whether a cell may stand where a number is expected: a number, or N/A, n/a, nan, inf.
bool is_number_cell(std::string_view text);

std::optional<std::uint64_t> whole_of(std::string_view text);
std::optional<int> integer_of(std::string_view text);

/// Elements: a whole number, also in the form "1.23457e+06".
std::optional<std::uint64_t> elements_of(std::string_view text);

/// The integer behind `key`, blanks between: integer_after("nThread 1 nGpus 8", "nGpus") is 8.
std::optional<int> integer_after(std::string_view line, std::string_view key);

}  // namespace viaduct
