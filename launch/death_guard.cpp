#include "launch/death_guard.hpp"

#include "core/deadline.hpp"

#include <climits>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace viaduct {

namespace {

// What the guard is told: a letter, the text, a line end.
constexpr char group_mark = 'G';
constexpr char folder_mark = 'F';
constexpr char done_mark = 'D';

/// What the guard knows. It was forked: it allocates nothing and calls only what is safe after
/// that.
struct Orders {
  std::array<char, PATH_MAX + 2> line{};
  std::size_t length = 0;
  pid_t group = 0;
  std::array<char, PATH_MAX + 2> folder{};
  bool is_done = false;
};

void take_order(Orders& orders) {
  orders.line[orders.length] = '\0';
  const char* text = orders.line.data() + 1;
  switch (orders.line[0]) {
    case group_mark:
      orders.group = static_cast<pid_t>(std::strtol(text, nullptr, 10));
      break;
    case folder_mark:
      std::strcpy(orders.folder.data(), text);
      break;
    case done_mark:
      orders.is_done = true;
      break;
    default:
      break;
  }
  orders.length = 0;
}

/// Until the other end is closed, by hand or by death.
void read_orders(int pipe, Orders& orders) {
  std::array<char, 256> piece{};
  while (true) {
    const ssize_t got = ::read(pipe, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return;
    }
    for (ssize_t i = 0; i < got; ++i) {
      const char letter = piece[static_cast<std::size_t>(i)];
      if (letter == '\n') {
        take_order(orders);
      } else if (orders.length + 1 < orders.line.size()) {
        orders.line[orders.length++] = letter;
      }
    }
  }
}

/// Whether the group is gone within that time.
bool wait_for_group(pid_t group, int seconds) {
  constexpr int looks_each_s = 10;
  const timespec pause{0, 1000000000 / looks_each_s};
  for (int i = 0; i < seconds * looks_each_s; ++i) {
    if (::kill(-group, 0) != 0 && errno == ESRCH) {
      return true;
    }
    ::nanosleep(&pause, nullptr);
  }
  return false;
}

void end_group(pid_t group) {
  constexpr int grace_s = 10;
  ::kill(-group, SIGTERM);
  if (!wait_for_group(group, grace_s)) {
    ::kill(-group, SIGKILL);
    wait_for_group(group, 2);
  }
}

[[noreturn]] void guard(int pipe) {
  // Signals to the group or terminal of the other process are not the guard's.
  ::setsid();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) {
    ::signal(signal, SIG_IGN);
  }
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    ::dup2(nowhere, descriptor);
  }
  static Orders orders;
  read_orders(pipe, orders);
  if (!orders.is_done && orders.group > 0) {
    end_group(orders.group);
  }
  if (!orders.is_done && orders.folder[0] != '\0') {
    ::execl("/bin/rm", "rm", "-rf", "--", orders.folder.data(), static_cast<char*>(nullptr));
  }
  ::_exit(0);
}

}  // namespace

DeathGuard::DeathGuard() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return;
  }
  guard_ = ::fork();
  if (guard_ == 0) {
    ::close(ends[1]);
    guard(ends[0]);
  }
  ::close(ends[0]);
  pipe_ = ends[1];
  if (guard_ < 0) {
    ::close(pipe_);
    pipe_ = -1;
  }
}

DeathGuard::~DeathGuard() {
  if (pipe_ < 0) {
    return;
  }
  constexpr double longest_s = 2;
  tell(std::string(1, done_mark));
  ::close(pipe_);
  const Deadline deadline = Deadline::after(longest_s);
  while (::waitpid(guard_, nullptr, WNOHANG) == 0 && !deadline.has_passed()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void DeathGuard::watch_group(pid_t group) {
  tell(group_mark + std::to_string(group));
}

void DeathGuard::watch_folder(const std::string& folder) {
  // A name with a line end in it would be read as two orders.
  if (folder.find('\n') == std::string::npos && folder.size() < PATH_MAX) {
    tell(folder_mark + folder);
  }
}

void DeathGuard::tell(const std::string& message) {
  const std::string line = message + "\n";
  std::size_t at = 0;
  while (pipe_ >= 0 && at < line.size()) {
    const ssize_t written = ::write(pipe_, line.data() + at, line.size() - at);
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return;
    }
    at += static_cast<std::size_t>(written);
  }
}

}  // namespace viaduct
