#pragma once
// What the programs owe whoever reads their output: errors on one line, and no output lost in
// silence.

#include <string>

namespace viaduct {

/// Line ends, tabs and other control characters as \\n, \\t, \\x1b, ..., whatever a user's words
/// put into it.
std::string error_line(const std::string& message);

/// Writes standard output to its end. Throws Error(io) with the reason when something could not be
/// written.
void flush_output();

}  // namespace viaduct
