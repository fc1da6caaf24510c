#include "report/result_writer.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace viaduct {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view extension = ".jsonl";
constexpr int most_files_of_one_name = 9999;

std::string reason_of(int error_number) {
  return std::generic_category().message(error_number);
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder, error)) {
    const std::string reason = error ? error.message() : reason_of(ENOTDIR);
    throw Error(ErrorKind::usage,
                fmt::format("cannot make the result folder '{}': {}; name a folder that can be "
                            "written with --out DIR",
                            folder.string(),
                            reason));
  }
}

std::string stem_of(const std::string& name) {
  const bool is_plain =
      !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
  if (!is_plain) {
    throw Error(ErrorKind::usage,
                fmt::format("'{}' is not a name of a result file: it must not be empty and must "
                            "not hold a '/'",
                            name));
  }
  if (name.size() > extension.size() && name.ends_with(extension)) {
    return name.substr(0, name.size() - extension.size());
  }
  return name;
}

fs::path numbered(const fs::path& folder, const std::string& stem, int number) {
  const std::string suffix = number == 1 ? "" : fmt::format("-{}", number);
  return folder / fmt::format("{}{}{}", stem, suffix, extension);
}

}  // namespace

ResultWriter::ResultWriter(const std::string& folder, const std::string& name) {
  const std::string stem = stem_of(name);
  const fs::path where = folder.empty() ? fs::path(".") : fs::path(folder);
  make_folder(where);
  int error_number = EEXIST;
  for (int number = 1; descriptor_ < 0 && error_number == EEXIST; ++number) {
    if (number > most_files_of_one_name) {
      break;
    }
    file_ = numbered(where, stem, number).string();
    // O_APPEND: after a torn line was cut off, the next one starts at the new end of the file.
    descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
    error_number = descriptor_ < 0 ? errno : 0;
  }
  if (descriptor_ < 0) {
    throw Error(ErrorKind::usage,
                fmt::format("cannot write the result file '{}': {}; name a folder that can be "
                            "written with --out DIR",
                            file_,
                            reason_of(error_number)));
  }
}

ResultWriter::~ResultWriter() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

void ResultWriter::write(const Manifest& manifest) {
  write_line(to_json(manifest));
}

void ResultWriter::write(const Measurement& measurement) {
  write_line(to_json(measurement));
}

void ResultWriter::write(const PathEvidence& evidence) {
  write_line(to_json(evidence));
}

void ResultWriter::write(const Verdict& verdict) {
  write_line(to_json(verdict));
}

void ResultWriter::write(const PairFinding& finding) {
  write_line(to_json(finding));
}

void ResultWriter::write(const GateVerdict& gate) {
  write_line(to_json(gate));
}

void ResultWriter::write(const End& end) {
  write_line(to_json(end));
  sync();
}

void ResultWriter::write_line(const nlohmann::json& json) {
  // Variables and file texts of a host may hold bytes that are no UTF-8; they must not lose the run
  // its manifest.
  const std::string line =
      json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      give_up_line(written < 0 ? errno : ENOSPC);
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  whole_bytes_ += line.size();
}

void ResultWriter::give_up_line(int error_number) {
  std::string cut = fmt::format("the file keeps its {} bytes of whole lines", whole_bytes_);
  if (::ftruncate(descriptor_, static_cast<off_t>(whole_bytes_)) != 0) {
    cut = fmt::format("its last line is torn and could not be cut off ({})", reason_of(errno));
  }
  throw Error(
      ErrorKind::io,
      fmt::format(
          "cannot write to the result file '{}': {}; {}", file_, reason_of(error_number), cut));
}

void ResultWriter::sync() {
  // EINVAL and EROFS: what is written here cannot be synchronised (a pipe, some network file
  // systems).
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) {
    throw Error(
        ErrorKind::io,
        fmt::format(
            "the result file '{}' could not be brought to the disk: {}", file_, reason_of(errno)));
  }
}

}  // namespace viaduct
