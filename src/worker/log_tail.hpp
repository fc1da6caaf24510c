#pragma once
// The last words of a log file, as one printable line for a message. Knows nothing of who wrote it.

#include <cstddef>
#include <string>

namespace viaduct {

/// The last `lines` lines that are not empty, joined by " | "; control bytes and bytes outside
/// ASCII are replaced, long lines cut. Empty when the file does not exist or says nothing.
std::string last_lines(const std::string& file, std::size_t lines);

/// The last `lines` lines of a text, in the same way.
std::string joined_lines(const std::string& text, std::size_t lines);

/// The same for the lines of NCCL's log that are warnings, near its end.
std::string last_nccl_warnings(const std::string& file, std::size_t lines);

}  // namespace viaduct
