#include "app/standard_streams.hpp"

#include <fcntl.h>

namespace viaduct {

void keep_standard_streams() {
  for (int stream = 0; stream < first_free_descriptor; ++stream) {
    if (::fcntl(stream, F_GETFD) >= 0) {
      continue;
    }
    // The lowest free number is this one, as those below are open by now. Opened for reading,
    // standard output refuses every byte.
    const int flags = stream == STDERR_FILENO ? O_WRONLY : O_RDONLY;
    [[maybe_unused]] const int opened = ::open("/dev/null", flags);
  }
}

}  // namespace viaduct
