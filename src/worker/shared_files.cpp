#include "worker/shared_files.hpp"

#include <algorithm>
#include <fstream>
#include <future>
#include <iterator>
#include <memory>
#include <sstream>
#include <string_view>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace viaduct {

namespace {

constexpr std::string_view prefix = "/dev/shm/nccl-";
constexpr std::string_view gone_mark = " (deleted)";

std::string text_of_maps(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/maps");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

std::vector<std::string> shared_files_in(const std::string& maps) {
  std::vector<std::string> files;
  std::istringstream in(maps);
  for (std::string line; std::getline(in, line);) {
    // The name ends the line; what stands before it has no slash.
    const std::size_t at = line.find('/');
    if (at == std::string::npos || line.compare(at, prefix.size(), prefix) != 0 ||
        line.ends_with(gone_mark)) {
      continue;
    }
    std::string file = line.substr(at);
    const bool is_plain = file.find('/', prefix.size()) == std::string::npos;
    if (is_plain && std::find(files.begin(), files.end(), file) == files.end()) {
      files.push_back(std::move(file));
    }
  }
  return files;
}

std::vector<std::string> shared_files_of(pid_t pid, Deadline deadline) {
  // The kernel gives the maps under a lock of that process, and neither O_NONBLOCK nor poll waits
  // for it: a read that finds the lock taken comes back when its holder lets go, at the latest when
  // the process is gone, which is killed next. Only a thread of its own can be left to that. There
  // is at most one for each lost worker, it owns all that it touches, a signal that ends this
  // process ends it too (the wait is killable), and a child in its place would have to be forked
  // from a process in which MPI may hold registered memory.
  auto maps = std::make_shared<std::promise<std::string>>();
  std::future<std::string> text = maps->get_future();
  try {
    std::thread([maps, pid] { maps->set_value(text_of_maps(pid)); }).detach();
  } catch (const std::system_error&) {
    return {};
  }
  const bool is_read = text.wait_until(deadline.when()) == std::future_status::ready;
  return is_read ? shared_files_in(text.get()) : std::vector<std::string>{};
}

void remove_files(const std::vector<std::string>& files) noexcept {
  for (const std::string& file : files) {
    ::unlink(file.c_str());
  }
}

}  // namespace viaduct
