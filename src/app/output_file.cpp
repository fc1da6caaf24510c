#include "app/output_file.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace viaduct {

void write_output_file(const std::string& option,
                       const std::string& text,
                       const std::string& file) {
  const std::string part = file + ".part";
  errno = 0;
  std::ofstream out(part, std::ios::binary | std::ios::trunc);
  std::error_code error;
  if (!out || std::filesystem::is_directory(file, error)) {
    const int reason = out ? EISDIR : errno;
    std::filesystem::remove(part, error);
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "{} {}: no file can be written there: {}", option, file, std::strerror(reason)));
  }
  out << text;
  out.close();
  if (!out) {
    const int reason = errno;
    std::filesystem::remove(part, error);
    throw Error(ErrorKind::io, fmt::format("cannot write {}: {}", file, std::strerror(reason)));
  }
  std::filesystem::rename(part, file, error);
  if (error) {
    const std::string reason = error.message();
    std::filesystem::remove(part, error);
    throw Error(ErrorKind::io, fmt::format("cannot write {}: {}", file, reason));
  }
}

void refuse_to_overwrite(const std::string& option,
                         const std::string& out_file,
                         const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    std::error_code ignored;
    if (std::filesystem::equivalent(file, out_file, ignored)) {
      throw Error(
          ErrorKind::usage,
          fmt::format("{} {}: that is a file to read itself; name another file", option, out_file));
    }
  }
}

}  // namespace viaduct
