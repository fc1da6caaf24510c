// viaduct import: the output of other tools, as tables, as JSON, or as a result file of ours.

#include "app/build_info.hpp"
#include "app/command_words.hpp"
#include "app/commands.hpp"
#include "baselines/baseline_records.hpp"
#include "baselines/baseline_views.hpp"
#include "baselines/given_facts.hpp"
#include "baselines/import_file.hpp"
#include "core/error.hpp"
#include "core/exit_code.hpp"
#include "report/result_writer.hpp"

#include <CLI/CLI.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>

namespace viaduct {
namespace {

struct ImportWords {
  std::string file;
  std::string format;
  std::string out_file;
  std::string path;
  std::string operation;
  int ranks = 0;
  bool as_json = false;
};

void add_options(CLI::App& app, ImportWords& words) {
  app.add_option("FILE",
                 words.file,
                 "output of nccl-tests, rccl-tests, nvbandwidth or "
                 "p2pBandwidthLatencyTest; - reads from stdin")
      ->required();
  app.add_flag("--json", words.as_json, "a JSON list of rows instead of tables");
  app.add_option("--format", words.format, "format of FILE; found out when left out");
  app.add_option(
      "-o,--output", words.out_file, "writes a result file (.jsonl) that report and compare read");
  app.add_option("--path", words.path, "name of the path in that file");
  app.add_option("--ranks", words.ranks, "ranks, where FILE does not say")
      ->check(CLI::PositiveNumber);
  app.add_option("--operation", words.operation, "operation, where FILE does not say");
}

std::string text_of(const std::string& file) {
  if (file != "-") {
    return read_text_file(file);
  }
  return {std::istreambuf_iterator<char>(std::cin), {}};
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

void write_result(const Baseline& baseline,
                  const ImportWords& given,
                  const std::vector<std::string>& words) {
  ImportFacts facts;
  facts.viaduct_version = version();
  facts.imported_at = utc_now();
  facts.command_line = {"viaduct", "import"};
  facts.command_line.insert(facts.command_line.end(), words.begin(), words.end());
  facts.path = given.path;
  const Result result = baseline_result(baseline, facts);
  const std::filesystem::path out(given.out_file);
  std::error_code ignored;
  if (!given.out_file.ends_with(".jsonl") || std::filesystem::exists(out, ignored)) {
    throw Error(
        ErrorKind::usage,
        fmt::format("-o {}: name a file that is not there yet and ends in .jsonl", given.out_file));
  }
  ResultWriter writer(out.parent_path().string(), out.filename().string());
  writer.write(result.manifest);
  for (const Measurement& measurement : result.measurements) {
    writer.write(measurement);
  }
  writer.write(*result.end);
}

}  // namespace

int import_command(const std::vector<std::string>& words) {
  CLI::App app("Reads the output of other tools.", "viaduct import");
  ImportWords given;
  add_options(app, given);
  if (!parse_command(app, words, "import")) {
    return 0;
  }
  const std::string text = text_of(given.file);
  const std::string name = given.file == "-" ? "standard input" : given.file;
  Baseline baseline = import_text(text, name, given.format);
  if (const std::string why = why_nothing(baseline); !why.empty()) {
    fmt::print("{}", given.as_json ? "[]\n" : "");
    throw Error(ErrorKind::usage, fmt::format("{}: {}", name, why));
  }
  apply_given({given.ranks > 0 ? std::optional(given.ranks) : std::nullopt, given.operation},
              baseline);
  if (!given.out_file.empty()) {
    write_result(baseline, given, words);
  }
  if (given.as_json || given.out_file.empty()) {
    fmt::print("{}", given.as_json ? baseline_json(baseline) : baseline_text(baseline));
  }
  for (const std::string& note : note_lines(baseline)) {
    fmt::print(stderr, "viaduct: {}: {}\n", name, note);
  }
  return static_cast<int>(ExitCode::ok);
}

}  // namespace viaduct
