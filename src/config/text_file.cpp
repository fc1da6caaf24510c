#include "config/text_file.hpp"

#include "core/error.hpp"
#include "core/special_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace viaduct {

namespace {

constexpr std::uintmax_t largest_file = 16U * 1024U * 1024U;

[[noreturn]] void refuse(const std::string& file, const std::string& what, const std::string& why) {
  throw Error(ErrorKind::usage, fmt::format("{} '{}' cannot be read: {}", what, file, why));
}

}  // namespace

std::string read_text_file(const std::string& file, const std::string& what) {
  std::error_code failure;
  if (std::filesystem::is_directory(file, failure)) {
    refuse(file, what, "it is a folder");
  }
  if (is_special_file(file)) {
    refuse(file, what, "it is not a regular file");
  }
  const std::uintmax_t bytes = std::filesystem::file_size(file, failure);
  if (!failure && bytes > largest_file) {
    refuse(
        file, what, fmt::format("{} bytes are too many, at most {} are read", bytes, largest_file));
  }
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream.is_open()) {
    refuse(file, what, std::strerror(errno));
  }
  std::ostringstream text;
  text << stream.rdbuf();
  if (stream.bad()) {
    refuse(file, what, "reading failed");
  }
  return text.str();
}

}  // namespace viaduct
