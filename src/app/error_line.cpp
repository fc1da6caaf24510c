#include "app/error_line.hpp"

#include <fmt/format.h>

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

}  // namespace viaduct
