#include "baselines/import_file.hpp"

#include "baselines/reader.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"
#include "core/special_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace viaduct {
namespace {

constexpr std::uintmax_t most_bytes = std::uintmax_t{4} << 30;

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw Error(ErrorKind::usage, fmt::format("{}: {}", file, why));
}

std::string known_formats() {
  std::string names;
  for (const BaselineReader* reader : baselines::all()) {
    names += (names.empty() ? "" : ", ") + std::string(reader->name);
  }
  return names;
}

/// A zero byte soon: compressed or binary. One later is a torn line of a log, as every byte may be.
void refuse_no_text(std::string_view text, const std::string& file) {
  constexpr std::size_t looked_at = 4096;
  if (text.empty()) {
    refuse(file, "empty; nothing to import");
  }
  if (text.substr(0, looked_at).find('\0') != std::string_view::npos) {
    refuse(file, "not a text file; unpack it first if it is compressed");
  }
}

const BaselineReader& reader_named(const std::string& format) {
  std::vector<std::string> names;
  for (const BaselineReader* reader : baselines::all()) {
    if (format == reader->name) {
      return *reader;
    }
    names.emplace_back(reader->name);
  }
  throw Error(ErrorKind::usage, unknown_name_message("format", format, names));
}

const BaselineReader& reader_of(std::string_view text, const std::string& file) {
  for (const BaselineReader* reader : baselines::all()) {
    if (reader->recognizes(text)) {
      return *reader;
    }
  }
  refuse(file, "no format known here; known: " + known_formats());
}

}  // namespace

std::string read_text_file(const std::string& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    refuse(file, "a folder; name the file");
  }
  if (is_special_file(file)) {
    refuse(file, "not a regular file");
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    refuse(file, std::generic_category().message(errno));
  }
  const std::uintmax_t bytes = std::filesystem::file_size(file, error);
  if (error || bytes > most_bytes) {
    refuse(file, error ? error.message() : fmt::format("{} bytes; 4 GiB is the most", bytes));
  }
  std::string text(static_cast<std::size_t>(bytes), '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) {
    refuse(file, "could not be read to its end");
  }
  text.resize(static_cast<std::size_t>(in.gcount()));
  refuse_no_text(text, file);
  return text;
}

Baseline import_text(std::string_view text, const std::string& file, const std::string& format) {
  refuse_no_text(text, file);
  if (text.starts_with("\xEF\xBB\xBF")) {
    text.remove_prefix(3);
  }
  const BaselineReader& reader = format.empty() ? reader_of(text, file) : reader_named(format);
  try {
    Baseline baseline = reader.read(text);
    baseline.file = file;
    baseline.format = reader.name;
    return baseline;
  } catch (const Error& error) {
    refuse(file, error.message());
  }
}

std::string why_nothing(const Baseline& baseline) {
  if (reportable_rows(baseline) > 0) {
    return "";
  }
  std::string why;
  const auto add = [&why](const BaselineNote& note) {
    why += (why.empty() ? "" : "; ") + note.word + ": " + note.text;
  };
  for (const BaselineNote& note : baseline.notes) {
    add(note);
  }
  for (const BaselineRun& run : baseline.runs) {
    for (const BaselineNote& note : run.notes) {
      if (note.word == run.refusal) {
        add(note);
      }
    }
  }
  return why.empty() ? "NO_DATA: no table of the format " + baseline.format : why;
}

}  // namespace viaduct
