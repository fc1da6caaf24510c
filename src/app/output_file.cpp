#include "app/output_file.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace viaduct {

void write_output_file(const std::string& text, const std::string& file) {
  const std::string part = file + ".part";
  std::ofstream out(part, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) {
    const int reason = errno;
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    throw Error(ErrorKind::io, fmt::format("cannot write {}: {}", file, std::strerror(reason)));
  }
  std::error_code error;
  std::filesystem::rename(part, file, error);
  if (error) {
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    throw Error(ErrorKind::io, fmt::format("cannot write {}: {}", file, error.message()));
  }
}

void refuse_to_overwrite(const std::string& option,
                         const std::string& out_file,
                         const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    std::error_code ignored;
    if (std::filesystem::equivalent(file, out_file, ignored)) {
      throw Error(ErrorKind::usage,
                  fmt::format("{} {}: that is a file to read; name another one", option, out_file));
    }
  }
}

}  // namespace viaduct
