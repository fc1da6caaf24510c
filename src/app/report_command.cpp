// viaduct report: result files as tables for people, and in other forms.

#include "app/command_words.hpp"
#include "app/commands.hpp"
#include "app/output_file.hpp"
#include "core/error.hpp"
#include "report/binding_audit.hpp"
#include "report/format.hpp"
#include "report/result_reader.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace viaduct {
namespace {

std::string format_help() {
  std::string text;
  for (const Format* format : formats::all()) {
    text += (text.empty() ? "" : ", ") + std::string(format->name);
  }
  return text + "; see viaduct list formats (default text)";
}

std::string audits(const std::vector<Result>& results) {
  std::string text;
  for (const Result& result : results) {
    text += binding_audit(result.manifest);
  }
  return text;
}

}  // namespace

int report_command(const std::vector<std::string>& words) {
  CLI::App app("Shows result files.", "viaduct report");
  std::vector<std::string> files;
  std::string format_name = "text";
  std::string out_file;
  bool audit = false;
  app.add_option("RESULT", files, "result files (.jsonl)")->required();
  app.add_option("--format", format_name, format_help());
  app.add_flag(
      "--audit", audit, "where ranks and workers ran, beside their GPUs, in place of tables");
  app.add_option("-o,--output", out_file, "file to write instead of standard output");
  if (!parse_command(app, words, "report")) {
    return 0;
  }
  const Format& format = find_format(format_name);
  if (audit && format.name != std::string("text")) {
    throw Error(ErrorKind::usage,
                fmt::format("--audit is text; leave out --format {}", format_name));
  }
  refuse_to_overwrite("-o", out_file, files);
  std::vector<Result> results;
  for (const std::string& file : files) {
    results.push_back(read_result(file));
  }
  const std::string text = audit ? audits(results) : format.render(results);
  if (out_file.empty()) {
    fmt::print("{}", text);
  } else {
    write_output_file("-o", text, out_file);
  }
  return 0;
}

}  // namespace viaduct
