// viaduct report: result files as tables for people.

#include "app/command_words.hpp"
#include "app/commands.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"
#include "report/binding_audit.hpp"
#include "report/result_reader.hpp"
#include "report/text_table.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace viaduct {
namespace {

/// Beside the target first, so that a full disk leaves what was there.
void write_file(const std::string& text, const std::string& file) {
  const std::string part = file + ".part";
  errno = 0;
  std::ofstream out(part, std::ios::binary | std::ios::trunc);
  std::error_code error;
  if (!out || std::filesystem::is_directory(file, error)) {
    const int reason = out ? EISDIR : errno;
    std::filesystem::remove(part, error);
    throw Error(
        ErrorKind::usage,
        fmt::format("-o {}: no file can be written there: {}", file, std::strerror(reason)));
  }
  out << text;
  out.close();
  if (!out) {
    const int reason = errno;
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    throw Error(ErrorKind::io, fmt::format("cannot write {}: {}", file, std::strerror(reason)));
  }
  std::filesystem::rename(part, file, error);
  if (error) {
    const std::string reason = error.message();
    std::filesystem::remove(part, error);
    throw Error(ErrorKind::io, fmt::format("cannot write {}: {}", file, reason));
  }
}

void refuse_to_overwrite(const std::string& out_file, const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    std::error_code ignored;
    if (std::filesystem::equivalent(file, out_file, ignored)) {
      throw Error(
          ErrorKind::usage,
          fmt::format("-o {}: that is the result file itself; name another file", out_file));
    }
  }
}

}  // namespace

int report_command(const std::vector<std::string>& words) {
  CLI::App app("Prints result files.", "viaduct report");
  std::vector<std::string> files;
  std::string format = "text";
  std::string out_file;
  app.add_option("RESULT", files, "result files (.jsonl)")->required();
  app.add_option("--format", format, "text");
  bool audit = false;
  app.add_flag(
      "--audit", audit, "where ranks and workers ran, beside their GPUs, in place of tables");
  app.add_option("-o,--output", out_file, "file to write instead of standard output");
  if (!parse_command(app, words, "report")) {
    return 0;
  }
  if (format != "text") {
    throw Error(ErrorKind::usage, unknown_name_message("format", format, {"text"}));
  }
  refuse_to_overwrite(out_file, files);
  std::string text;
  for (const std::string& file : files) {
    const Result result = read_result(file);
    text += audit ? binding_audit(result.manifest) : text_table(result);
  }
  if (out_file.empty()) {
    fmt::print("{}", text);
  } else {
    write_file(text, out_file);
  }
  return 0;
}

}  // namespace viaduct
