#include "app/flush_output.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace viaduct {

void flush_output() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw Error(ErrorKind::io,
                fmt::format("standard output could not be written: {}",
                            errno != 0 ? std::strerror(errno) : "it is closed"));
  }
}

}  // namespace viaduct
