#include "launch/rank_watch.hpp"

#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

namespace viaduct {

namespace {

std::string first_line(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

/// One that has ended and was not collected yet is no longer there.
bool is_running(const std::string& pid, const std::string& program) {
  const std::string stat = first_line("/proc/" + pid + "/stat");
  const std::size_t first = stat.find('(');
  const std::size_t last = stat.rfind(") ");
  return first != std::string::npos && last != std::string::npos &&
         stat.substr(first + 1, last - first - 1) == program && stat[last + 2] != 'Z';
}

/// Empty: the kernel lists no children.
std::optional<bool> has_child(pid_t parent, const std::string& program) {
  std::optional<bool> found;
  std::error_code error;
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/" + std::to_string(parent) + "/task", error)) {
    std::ifstream children(task.path() / "children");
    if (!children) {
      continue;
    }
    found = found.value_or(false);
    for (std::string pid; children >> pid;) {
      found = *found || is_running(pid, program);
    }
  }
  return found;
}

}  // namespace

bool RankWatch::ranks_have_ended(pid_t launcher) {
  const std::optional<bool> are_there = has_child(launcher, rank_program_);
  has_seen_ranks_ = has_seen_ranks_ || are_there.value_or(false);
  return has_seen_ranks_ && are_there.has_value() && !*are_there;
}

}  // namespace viaduct
