#pragma once
// Numbers as the table shows them: about four significant digits, in narrow columns.

#include <string>

namespace viaduct {

/// 0 -> "0", 0.01234 -> "0.0123" (at most four decimals), 1.2e-5 -> "1.2e-05", 5.4 -> "5.400",
/// 251.93 -> "251.9", 2477.3 -> "2477", 123456.7 -> "123457".
std::string four_digits(double value);

/// A fraction as percent without the sign: 0.0042 -> "0.42", 0.123 -> "12.3", 1.5 -> "150".
std::string percent_number(double fraction);

}  // namespace viaduct
