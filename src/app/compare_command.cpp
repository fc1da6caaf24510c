// viaduct compare: two results, two paths, or the output of other tools, against each other.

#include "app/command_words.hpp"
#include "app/commands.hpp"
#include "baselines/import_file.hpp"
#include "compare/comparison_views.hpp"
#include "compare/side_of_baseline.hpp"
#include "compare/side_of_result.hpp"
#include "core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>

namespace viaduct {
namespace {

struct CompareWords {
  std::string a;
  std::string b;
  std::string margin = "2%";
  std::string launch_spread;
  std::string path;
  std::vector<std::string> allowed;
  bool as_json = false;
};

void add_options(CLI::App& app, CompareWords& words) {
  app.add_option("A", words.a, "FILE, FILE:PATH, or repeats FILE,FILE,...: what is taken as known")
      ->required();
  app.add_option("B", words.b, "the same for what is judged")->required();
  app.add_option("--margin", words.margin, "by which times may differ and still be the same (2%)");
  app.add_option("--path", words.path, "the path of both, where they have several");
  app.add_option("--allow",
                 words.allowed,
                 "compare although these differ: gpus, hosts, nccl, method, buffers")
      ->delimiter(',');
  app.add_option("--launch-spread",
                 words.launch_spread,
                 "standard deviation between launches, assumed where it was not measured (0.5%)");
  app.add_flag("--json", words.as_json, "one JSON document instead of tables");
}

/// "2%" or "0.02".
double share_of(const std::string& text, const char* option) {
  const bool is_percent = text.ends_with('%');
  const std::string number = is_percent ? text.substr(0, text.size() - 1) : text;
  try {
    std::size_t used = 0;
    const double value = std::stod(number, &used) / (is_percent ? 100 : 1);
    if (used == number.size() && std::isfinite(value) && value >= 0 && value < 1) {
      return value;
    }
  } catch (const std::exception&) {
    // said below
  }
  throw Error(
      ErrorKind::usage,
      fmt::format(
          "compare: {} '{}': not a share from 0 to below 1; right: 2% or 0.02", option, text));
}

bool is_file(const std::string& name) {
  std::error_code ignored;
  return std::filesystem::exists(name, ignored);
}

/// A file name may hold a ':' or ',' itself: a name that is there is that file.
std::vector<std::string> repeats_of(const std::string& word) {
  if (is_file(word)) {
    return {word};
  }
  std::vector<std::string> files;
  std::size_t begin = 0;
  while (begin <= word.size()) {
    const std::size_t end = std::min(word.find(',', begin), word.size());
    files.push_back(word.substr(begin, end - begin));
    begin = end + 1;
  }
  return files;
}

/// Our own files begin with a manifest, whose keys may stand in any order in its line.
bool is_result(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::string line;
  std::getline(in, line);
  const std::size_t key = line.find("\"record\"");
  return line.starts_with('{') && key != std::string::npos &&
         line.substr(key, 24).find("\"manifest\"") != std::string::npos;
}

ComparedSide side_of_file(const std::string& word, const std::string& default_path) {
  std::string file = word;
  std::string path = default_path;
  const std::size_t colon = word.rfind(':');
  if (!is_file(word) && colon != std::string::npos && is_file(word.substr(0, colon))) {
    file = word.substr(0, colon);
    path = word.substr(colon + 1);
  }
  if (is_result(file)) {
    return side_of_result(read_result(file), path);
  }
  if (file != word) {
    throw Error(
        ErrorKind::usage,
        fmt::format("compare: {}: {} is the output of another tool and has no paths", word, file));
  }
  return side_of_baseline(import_text(read_text_file(file), file));
}

ComparedSide side_of(const std::string& word, const std::string& path) {
  const std::vector<std::string> files = repeats_of(word);
  ComparedSide side = side_of_file(files.front(), path);
  for (std::size_t i = 1; i < files.size(); ++i) {
    add_repeat(side, side_of_file(files[i], path));
  }
  side.label = word;
  return side;
}

}  // namespace

int compare_command(const std::vector<std::string>& words) {
  CLI::App app("Compares two results case by case; 8: a regression past the margin.",
               "viaduct compare");
  CompareWords given;
  add_options(app, given);
  if (!parse_command(app, words, "compare")) {
    return 0;
  }
  ComparisonOptions options;
  options.margin = share_of(given.margin, "--margin");
  options.allowed = given.allowed;
  if (!given.launch_spread.empty()) {
    options.launch_deviation = share_of(given.launch_spread, "--launch-spread");
  }
  const Comparison comparison =
      compare_sides(side_of(given.a, given.path), side_of(given.b, given.path), options);
  fmt::print("{}", given.as_json ? comparison_json(comparison) : comparison_text(comparison));
  return static_cast<int>(exit_code(comparison));
}

}  // namespace viaduct
