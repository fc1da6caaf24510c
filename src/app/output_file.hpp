#pragma once
// Files that commands write beside what they read: whole or not at all, and never over their input.

#include <string>
#include <vector>

namespace viaduct {

/// Written beside the target first, so that a full disk leaves what was there; a device or a pipe
/// is written to as it stands. `option` begins the message. Throws Error(usage) where no file can
/// be, Error(io) where it could not be written whole.
void write_output_file(const std::string& option, const std::string& text, const std::string& file);

/// Throws Error(usage) where `out_file` is one of `files`.
void refuse_to_overwrite(const std::string& option,
                         const std::string& out_file,
                         const std::vector<std::string>& files);

}  // namespace viaduct
