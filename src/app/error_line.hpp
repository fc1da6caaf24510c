#pragma once
// Makes one line of an error message for a terminal, whatever a user's words put into it.

#include <string>

namespace viaduct {

/// Line ends, tabs and other control characters as \\n, \\t, \\x1b, ...
std::string error_line(const std::string& message);

}  // namespace viaduct
