#pragma once
// A small text file that the user named, read whole.

#include <string>

namespace viaduct {

/// Throws Error(usage) that names the file and what it should have been (`what`: "plan", "file of
/// paths").
std::string read_text_file(const std::string& file, const std::string& what);

}  // namespace viaduct
