// viaduct report: result files as tables for people.

#include "app/commands.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"
#include "report/result_reader.hpp"
#include "report/text_table.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <fstream>

namespace viaduct {
namespace {

void write_out(const std::string& text, const std::string& file) {
  if (file.empty()) {
    fmt::print("{}", text);
    return;
  }
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) {
    throw Error(ErrorKind::usage, fmt::format("cannot write {}", file));
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
  app.add_option("-o,--output", out_file, "file to write instead of standard output");
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return 0;
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::usage, fmt::format("report: {}", error.what()));
  }
  if (format != "text") {
    throw Error(ErrorKind::usage, unknown_name_message("format", format, {"text"}));
  }
  std::string text;
  for (const std::string& file : files) {
    text += text_table(read_result(file));
  }
  write_out(text, out_file);
  return 0;
}

}  // namespace viaduct
