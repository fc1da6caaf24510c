#pragma once

// Writes standard output to its end: a table that was lost on the way out is no success.

namespace viaduct {

/// Throws Error(io) with the reason when something printed so far could not be written.
void flush_output();

}  // namespace viaduct
