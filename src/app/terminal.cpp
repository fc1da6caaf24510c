#include "app/terminal.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace viaduct {

std::string error_line(const std::string& message) {
  std::string line;
  for (const char letter : message) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '\n') {
      line += "\\n";
    } else if (letter == '\t') {
      line += "\\t";
    } else if (code < 0x20 || code == 0x7f) {
      line += fmt::format("\\x{:02x}", static_cast<unsigned>(code));
    } else {
      line += letter;
    }
  }
  return line;
}

void flush_output() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw Error(ErrorKind::io,
                fmt::format("standard output could not be written: {}",
                            errno != 0 ? std::strerror(errno) : "it is closed"));
  }
}

}  // namespace viaduct
