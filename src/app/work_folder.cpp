#include "app/work_folder.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace viaduct {

WorkFolder::WorkFolder() {
  const char* base = std::getenv("TMPDIR");
  std::string name =
      fmt::format("{}/viaduct-XXXXXX", base != nullptr && *base != '\0' ? base : "/tmp");
  if (mkdtemp(name.data()) == nullptr) {
    throw Error(ErrorKind::io,
                fmt::format("cannot make a folder for logs ({}): {}", name, std::strerror(errno)));
  }
  path_ = name;
}

WorkFolder::~WorkFolder() {
  if (!kept_) {
    remove();
  }
}

void WorkFolder::remove() noexcept {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

int free_port() {
  const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  const bool bound = bind(probe, reinterpret_cast<sockaddr*>(&address), length) == 0 &&
                     getsockname(probe, reinterpret_cast<sockaddr*>(&address), &length) == 0;
  close(probe);
  return bound ? ntohs(address.sin_port) : 0;
}

}  // namespace viaduct
