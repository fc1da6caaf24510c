#pragma once
// Devices, pipes and sockets: nothing to read as a file, and nothing that a file may replace.

#include <filesystem>
#include <system_error>

namespace viaduct {

/// Whether `file`, or what its links lead to, is there and neither a regular file nor a folder. To
/// be asked before it is opened: a pipe without another end makes its opener wait.
inline bool is_special_file(const std::filesystem::path& file) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(file, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

}  // namespace viaduct
