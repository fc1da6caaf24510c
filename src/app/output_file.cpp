#include "app/output_file.hpp"

#include "core/error.hpp"
#include "core/special_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace viaduct {

namespace {

[[noreturn]] void throw_cannot_write(const std::string& file, int reason) {
  throw Error(ErrorKind::io, fmt::format("cannot write {}: {}", file, std::strerror(reason)));
}

[[noreturn]] void throw_no_file_there(const std::string& option,
                                      const std::string& file,
                                      int reason) {
  throw Error(
      ErrorKind::usage,
      fmt::format("{} {}: no file can be written there: {}", option, file, std::strerror(reason)));
}

void write_special(const std::string& option, const std::string& text, const std::string& file) {
  // A pipe that nobody reads refuses at once where it would make us wait.
  const int opened = ::open(file.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  if (opened < 0) {
    throw_no_file_there(option, file, errno);
  }
  ::fcntl(opened, F_SETFL, 0);
  int reason = 0;
  for (std::size_t done = 0; done < text.size() && reason == 0;) {
    const ssize_t written = ::write(opened, text.data() + done, text.size() - done);
    if (written >= 0) {
      done += static_cast<std::size_t>(written);
    } else if (errno != EINTR) {
      reason = errno;
    }
  }
  ::close(opened);
  if (reason != 0) {
    throw_cannot_write(file, reason);
  }
}

/// Where a link leads: it is what the link names that is replaced, not the link.
std::string behind_links(const std::string& file) {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::canonical(file, error);
  return error ? file : target.string();
}

}  // namespace

void write_output_file(const std::string& option,
                       const std::string& text,
                       const std::string& file) {
  // /dev/null must not become a file.
  if (is_special_file(file)) {
    write_special(option, text, file);
    return;
  }
  const std::string target = behind_links(file);
  const std::string part = target + ".part";
  errno = 0;
  std::ofstream out(part, std::ios::binary | std::ios::trunc);
  std::error_code error;
  if (!out || std::filesystem::is_directory(target, error)) {
    const int reason = out ? EISDIR : errno;
    std::filesystem::remove(part, error);
    throw_no_file_there(option, file, reason);
  }
  out << text;
  out.close();
  if (!out) {
    const int reason = errno;
    std::filesystem::remove(part, error);
    throw_cannot_write(file, reason);
  }
  std::filesystem::rename(part, target, error);
  if (error) {
    const int reason = error.value();
    std::filesystem::remove(part, error);
    throw_cannot_write(file, reason);
  }
}

void refuse_to_overwrite(const std::string& option,
                         const std::string& out_file,
                         const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    std::error_code ignored;
    if (std::filesystem::equivalent(file, out_file, ignored)) {
      throw Error(
          ErrorKind::usage,
          fmt::format("{} {}: that is a file to read itself; name another file", option, out_file));
    }
  }
}

}  // namespace viaduct
