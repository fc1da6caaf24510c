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

/// Bytes of no text: neither blanks nor ends of lines nor the escapes of a terminal.
bool is_binary_byte(char c) {
  constexpr std::string_view of_text = "\t\n\v\f\r\b\a\x1b";
  return static_cast<unsigned char>(c) < ' ' && of_text.find(c) == std::string_view::npos;
}

/// A zero byte among other binary ones: compressed or binary. Zero bytes alone come into a log that
/// was emptied while a job wrote to it (logrotate's copytruncate).
void refuse_no_text(std::string_view text, const std::string& file) {
  constexpr std::size_t looked_at = 4096;
  if (text.empty()) {
    refuse(file, "empty; nothing to import");
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    refuse(file, "UTF-16; turn it into UTF-8 first: iconv -f UTF-16 -t UTF-8");
  }
  const std::size_t zero = text.find('\0');
  if (zero == std::string_view::npos) {
    return;
  }
  const std::size_t first = text.find_first_not_of('\0');
  if (first == std::string_view::npos) {
    refuse(file, fmt::format("{} NUL bytes and nothing else", text.size()));
  }
  std::string_view begin = text.substr(first, looked_at);
  const bool is_early = zero < looked_at;
  const bool is_binary = std::any_of(
      begin.begin(), begin.end(), [](char c) { return c != '\0' && is_binary_byte(c); });
  if (is_early && is_binary) {
    refuse(file, "not a text file; unpack it first if it is compressed");
  }
}

/// Blanks for them: a number that lost a digit to one must not become another number.
std::string without_zeros(std::string_view text) {
  std::string clean(text);
  std::replace(clean.begin(), clean.end(), '\0', ' ');
  return clean;
}

void note_zeros(std::string_view text, Baseline& baseline) {
  const auto zeros = std::count(text.begin(), text.end(), '\0');
  const auto first = text.begin() + static_cast<std::ptrdiff_t>(text.find('\0'));
  baseline.notes.push_back(
      {"TORN",
       fmt::format("{} NUL {}, the first in line {}: read as blanks; what stood there is lost, as "
                   "in a log that was emptied while a job wrote to it",
                   zeros,
                   zeros == 1 ? "byte" : "bytes",
                   1 + std::count(text.begin(), first, '\n'))});
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
  const bool has_zeros = text.find('\0') != std::string_view::npos;
  const std::string clean = has_zeros ? without_zeros(text) : "";
  const std::string_view source = text;
  text = has_zeros ? std::string_view(clean) : text;
  const BaselineReader& reader = format.empty() ? reader_of(text, file) : reader_named(format);
  try {
    Baseline baseline = reader.read(text);
    baseline.file = file;
    baseline.format = reader.name;
    if (has_zeros) {
      note_zeros(source, baseline);
    }
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
