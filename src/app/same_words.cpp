#include "app/same_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace viaduct {

namespace {

namespace fs = std::filesystem;

/// Where the ranks of one job meet on this host.
struct Meeting {
  fs::path folder;
  std::string prefix;  ///< of the files of this job
  std::string rank;
};

std::string value_of(const Environment& environment, const char* name) {
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

std::optional<Meeting> meeting_of(const Environment& environment) {
  Meeting meeting{value_of(environment, "PMIX_SERVER_TMPDIR"),
                  "viaduct-words-" + value_of(environment, "PMIX_NAMESPACE") + "-",
                  value_of(environment, "PMIX_RANK")};
  std::error_code failure;
  const bool is_plain = (meeting.prefix + meeting.rank).find('/') == std::string::npos;
  return !meeting.rank.empty() && is_plain && fs::is_directory(meeting.folder, failure)
             ? std::optional(meeting)
             : std::nullopt;
}

/// Beside the name first: others read whole files only.
bool leave_words(const Meeting& meeting, const std::string& words) {
  const fs::path own = meeting.folder / (meeting.prefix + meeting.rank);
  const fs::path part = meeting.folder / (".part-" + meeting.prefix + meeting.rank);
  std::error_code failure;
  std::ofstream out(part, std::ios::binary | std::ios::trunc);
  out << words;
  out.close();
  if (out) {
    fs::rename(part, own, failure);
  }
  const bool is_left = out && !failure;
  if (!is_left) {
    fs::remove(part, failure);
  }
  return is_left;
}

/// Only one rank of the host speaks.
bool may_speak(const Meeting& meeting) {
  const fs::path said = meeting.folder / ("." + meeting.prefix + "said");
  const int descriptor = ::open(said.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor >= 0) {
    ::close(descriptor);
  }
  return descriptor >= 0;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

std::optional<std::string> complain_of_other_words(const Environment& environment,
                                                   const std::vector<std::string>& words) {
  const std::optional<Meeting> meeting = meeting_of(environment);
  const std::string own = fmt::format("{}", fmt::join(words, " "));
  if (!meeting || !leave_words(*meeting, own)) {
    return std::nullopt;
  }
  std::error_code failure;
  for (auto entry = fs::directory_iterator(meeting->folder, failure);
       !failure && entry != fs::directory_iterator();
       entry.increment(failure)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(meeting->prefix)) {
      continue;
    }
    const std::string other = text_of(entry->path());
    if (other != own) {
      return may_speak(*meeting)
                 ? fmt::format(
                       "rank {} was started with '{}', rank {} with '{}': every rank must "
                       "get the same words",
                       meeting->rank,
                       own,
                       name.substr(meeting->prefix.size()),
                       other)
                 : "";
    }
  }
  return std::nullopt;
}

void forget_words(const Environment& environment) {
  if (const auto meeting = meeting_of(environment)) {
    std::error_code ignored;
    fs::remove(meeting->folder / (meeting->prefix + meeting->rank), ignored);
  }
}

}  // namespace viaduct
