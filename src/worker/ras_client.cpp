#include "worker/ras_client.hpp"

#include "worker/descriptor.hpp"
#include "worker/log_tail.hpp"

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <netinet/in.h>
#include <poll.h>
#include <sstream>
#include <string_view>
#include <sys/socket.h>

namespace viaduct {

namespace {

/// Each line is a command. The second is how long RAS waits for other processes, in seconds: less
/// than this side waits for RAS.
constexpr std::string_view question = "CLIENT PROTOCOL 2\nTIMEOUT 1\nSTATUS\n";
constexpr std::string_view greeting = "SERVER PROTOCOL";
constexpr std::size_t most_bytes = std::size_t{64} * 1024;

/// 0: there is none.
std::uint16_t port_of(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  std::uint16_t port = 0;
  if (colon != std::string::npos) {
    std::from_chars(address.data() + colon + 1, address.data() + address.size(), port);
  }
  return port;
}

bool wait_for(const Descriptor& socket, short events, Deadline deadline) {
  pollfd entry{};
  entry.fd = socket.get();
  entry.events = events;
  constexpr double milliseconds = 1000;
  while (!deadline.has_passed()) {
    const int wait = static_cast<int>(std::ceil(deadline.seconds_left() * milliseconds));
    const int ready = ::poll(&entry, 1, wait);
    if (ready > 0) {
      return true;
    }
    if (ready < 0 && errno != EINTR) {
      return false;
    }
  }
  return false;
}

/// Closed when nobody listens there.
Descriptor connect_to(const sockaddr* address, socklen_t length, Deadline deadline) {
  Descriptor socket(::socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.is_open()) {
    return socket;
  }
  if (::connect(socket.get(), address, length) == 0) {
    return socket;
  }
  int error = errno;
  socklen_t size = sizeof error;
  const bool is_done = error == EINPROGRESS && wait_for(socket, POLLOUT, deadline) &&
                       ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size) == 0 &&
                       error == 0;
  return is_done ? std::move(socket) : Descriptor(-1);
}

/// NCCL resolves "localhost" to either family.
Descriptor connect_here(std::uint16_t port, Deadline deadline) {
  sockaddr_in old{};
  old.sin_family = AF_INET;
  old.sin_port = htons(port);
  old.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  Descriptor socket = connect_to(reinterpret_cast<const sockaddr*>(&old), sizeof old, deadline);
  if (socket.is_open()) {
    return socket;
  }
  sockaddr_in6 newer{};
  newer.sin6_family = AF_INET6;
  newer.sin6_port = htons(port);
  newer.sin6_addr = in6addr_loopback;
  return connect_to(reinterpret_cast<const sockaddr*>(&newer), sizeof newer, deadline);
}

/// Until the other side closes: that ends RAS's answer.
std::string read_all(const Descriptor& socket, Deadline deadline) {
  std::string text;
  std::array<char, 4096> piece{};
  while (text.size() < most_bytes && wait_for(socket, POLLIN, deadline)) {
    const ssize_t got = ::recv(socket.get(), piece.data(), piece.size(), 0);
    if (got > 0) {
      text.append(piece.data(), static_cast<std::size_t>(got));
    } else if (got == 0 || (errno != EINTR && errno != EAGAIN)) {
      break;
    }
  }
  return text;
}

bool is_ruler(const std::string& line) {
  return line.find_first_not_of("=- \r") == std::string::npos;
}

}  // namespace

std::string ask_ras(const std::string& address, Deadline deadline) {
  const std::uint16_t port = port_of(address);
  if (port == 0) {
    return "";
  }
  const Descriptor socket = connect_here(port, deadline);
  if (!socket.is_open() || ::send(socket.get(), question.data(), question.size(), MSG_NOSIGNAL) !=
                               static_cast<ssize_t>(question.size())) {
    return "";
  }
  std::string text = read_all(socket, deadline);
  if (!text.starts_with(greeting)) {
    return "";
  }
  for (const std::string_view answer : {greeting, std::string_view("OK")}) {
    if (text.starts_with(answer)) {
      const std::size_t end = text.find('\n');
      text.erase(0, end == std::string::npos ? end : end + 1);
    }
  }
  return text;
}

std::string ras_summary(const std::string& text, std::size_t lines) {
  constexpr std::string_view errors = "\nErrors\n";
  const std::size_t at = text.find(errors);
  std::istringstream in(at == std::string::npos ? text : text.substr(at));
  std::string kept;
  std::size_t count = 0;
  for (std::string line; count < lines && std::getline(in, line);) {
    if (!is_ruler(line)) {
      kept += line + '\n';
      ++count;
    }
  }
  return joined_lines(kept, lines);
}

}  // namespace viaduct
