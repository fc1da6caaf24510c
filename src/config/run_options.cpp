#include "config/run_options.hpp"

#include "core/error.hpp"
#include "core/nearest.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace viaduct {

namespace {

struct OptionRow {
  const char* letter;  ///< "" when the option has none
  const char* key;
  const char* form;  ///< what stands for the value in the help
  const char* group;
  const char* help;
};

constexpr const char* what = "What to measure";
constexpr const char* where = "Engine and paths";
constexpr const char* how = "How to measure";
constexpr const char* matrix = "Every pair of ranks (viaduct run pairs)";
constexpr const char* guard = "Launch and result";

constexpr std::array option_rows{
    OptionRow{"b", "minbytes", "SIZE", what, "smallest size; alone: the only size (default 8)"},
    OptionRow{
        "e", "maxbytes", "SIZE", what, "largest size (default 128M when -b is not given either)"},
    OptionRow{"f", "stepfactor", "NUMBER", what, "sizes grow by this factor, above 1 (default 2)"},
    OptionRow{"i", "stepbytes", "SIZE", what, "sizes grow by this many bytes, in place of -f"},
    OptionRow{"", "sizes", "LIST", what, "these sizes, 8,4K,1M, in place of -b -e -f -i"},
    OptionRow{"d",
              "datatype",
              "LIST",
              what,
              "float32, int8, ... or all; see viaduct list datatypes (default float32)"},
    OptionRow{"o", "op", "LIST", what, "sum, prod, min, max, avg, premulsum or all (default sum)"},
    OptionRow{"r",
              "root",
              "LIST",
              what,
              "root of operations that have one; all or -1: every rank (default 0)"},
    OptionRow{"",
              "traffic",
              "LIST",
              what,
              "blocks of alltoallv: uniform, skewed or a file of weights, ranks x ranks (default "
              "uniform)"},
    OptionRow{
        "", "placement", "WORD", what, "out-of-place, in-place or both (default out-of-place)"},
    OptionRow{"",
              "mode",
              "LIST",
              what,
              "graph, stream, each (default: graph and stream up to 1M, stream above; stream on "
              "the mpi engine)"},
    OptionRow{
        "",
        "engine",
        "WORD",
        where,
        "auto, nccl, mpi or copy (auto: copy where copies are named, else nccl where a GPU is "
        "visible)"},
    OptionRow{"",
              "paths",
              "LIST",
              where,
              "paths in order, the first is the reference (default: direct,host-staged; on the mpi "
              "engine "
              "single-copy,double-copy,tcp)"},
    OptionRow{"", "paths-file", "FILE", where, "more paths, in the form of configs/paths.json"},
    OptionRow{"", "lanes", "WORD", where, "auto, together or serial"},
    OptionRow{
        "",
        "group",
        "WORD",
        where,
        "all, host, rail or N: communicators of each host, of each local rank over the hosts, "
        "or of N ranks, all at once (default all)"},
    OptionRow{"",
              "pair",
              "A,B",
              where,
              "only these two ranks of the launch measure, A is the first; the others stay idle"},
    OptionRow{"",
              "buffers",
              "WORD",
              where,
              "plain, nccl (ncclMemAlloc), registered (ncclCommRegister) or symmetric "
              "(ncclCommWindowRegister)"},
    OptionRow{"",
              "offset",
              "SIZE",
              where,
              "bytes between an aligned address and the first element of each buffer (default 0)"},
    OptionRow{"R",
              "local_register",
              "N",
              where,
              "as in nccl-tests: 1 is --buffers registered, 2 is symmetric"},
    OptionRow{
        "",
        "method",
        "WORD",
        how,
        "viaduct, nccl-tests (repeats its loop and clock) or p2p-sample (engine copy: that of "
        "p2pBandwidthLatencyTest)"},
    OptionRow{"",
              "window",
              "N",
              how,
              "messages in flight of message_rate, pair_unidirectional and pair_bidirectional "
              "(default 64, 1 and 1)"},
    OptionRow{"n", "iters", "N", how, "exactly N timed operations, stopping rule off"},
    OptionRow{"w",
              "warmup_iters",
              "N",
              how,
              "N operations of warm-up in whole batches, whether times settle or not"},
    OptionRow{"G", "cudagraph", "N", how, "mode graph, each graph launched N times; 0: off"},
    OptionRow{"c", "check", "N", how, "how many batches are checked; 0: none (default 4)"},
    OptionRow{"", "time", "SECONDS", how, "most time for a case and path (default 5)"},
    OptionRow{"", "reopen", "N", how, "open the paths N times and report the spread (default 1)"},
    OptionRow{
        "",
        "slots",
        "N",
        how,
        "output buffers to rotate over (default: up to 64, 512 MB in all); 1: always the same, "
        "as OSU and IMB do"},
    OptionRow{"", "seed", "N", how, "of the data and of the order (default 1)"},
    OptionRow{
        "",
        "pattern",
        "LIST",
        matrix,
        "what each pair runs: pair_unidirectional, pair_bidirectional, pingpong, message_rate "
        "(default pair_unidirectional and, at 8 bytes, pingpong)"},
    OptionRow{"",
              "schedule",
              "WORD",
              matrix,
              "tournament: as many pairs at once as there are; single: one at a time (default "
              "tournament)"},
    OptionRow{"",
              "budget",
              "SECONDS",
              matrix,
              "most time in all: hosts first, then the ranks of hosts that stand out (default: "
              "every pair, however long)"},
    OptionRow{"",
              "gates",
              "FILE",
              guard,
              "judge the result against gates: a file, or a name of viaduct list gates; exit 8 "
              "where one fails"},
    OptionRow{"", "expect-ranks", "N", guard, "refuse to run unless there are exactly N ranks"},
    OptionRow{"",
              "expect-gpus-per-node",
              "N",
              guard,
              "refuse to run unless each host has exactly N ranks, one per GPU"},
    OptionRow{"",
              "bind",
              "WORD",
              guard,
              "cores of workers: gpu (near the GPU), launcher or none (default gpu)"},
    OptionRow{"", "deadline", "SECONDS", guard, "end the whole run after this time"},
    OptionRow{"", "out", "DIR", guard, "folder for the result (default viaduct-results)"},
    OptionRow{"g", "ngpus", "1", guard, "1 only: one rank drives one GPU"},
    OptionRow{"t", "nthreads", "1", guard, "1 only: one rank drives one GPU"},
};

constexpr std::array flag_rows{
    OptionRow{"", "in-place", "", what, "same as --placement in-place; with --out-of-place: both"},
    OptionRow{"", "out-of-place", "", what, "same as --placement out-of-place"},
    OptionRow{"", "allow-single", "", guard, "let one rank run alone"},
    OptionRow{"",
              "require-path",
              "",
              guard,
              "exit 5 also for a path whose way is not proven (a contradicted one always is)"},
    OptionRow{"",
              "no-probe",
              "",
              how,
              "do not ask NCCL before the run what it chooses for each case; saves about 2 s"},
    OptionRow{"", "samples", "", guard, "keep every sample in the result"},
    OptionRow{"", "quiet", "", guard, "no progress line"},
};

std::string spelled(const OptionRow& row) {
  const std::string letter = row.letter;
  return (letter.empty() ? "" : "-" + letter + ",") + "--" + row.key;
}

constexpr const char* footer =
    "Names: a plan (quick, node, cluster, latency, full, or a file PLAN.json), collectives and "
    "patterns\n"
    "(all_reduce, pingpong ...), or pairs: every two ranks of the launch, with a matrix of what "
    "each "
    "link\n"
    "gives and the slow rank, link, direction or host by name.\n"
    "Options override the plan. Sizes are binary: 4K = 4096. Lists are words joined by commas.\n"
    "With neither -b, -e nor --sizes, a collective is measured at 8 B to 128M, doubling.";

std::vector<std::string> known_options() {
  std::vector<std::string> names{"--help", "--path"};
  for (const OptionRow& row : option_rows) {
    names.push_back(std::string("--") + row.key);
  }
  for (const OptionRow& row : flag_rows) {
    names.push_back(std::string("--") + row.key);
  }
  return names;
}

void sort_out_rest(const std::vector<std::string>& rest, RunOptions& options) {
  for (const std::string& word : rest) {
    if (word.size() < 2 || word.front() != '-') {
      options.names.push_back(word);
    } else if (word.starts_with("--")) {
      const std::string bare = word.substr(0, word.find('='));
      throw Error(ErrorKind::usage, unknown_name_message("option", bare, known_options()));
    } else {
      throw Error(ErrorKind::usage,
                  fmt::format("unknown option '{}'; `viaduct run --help` lists all", word));
    }
  }
}

/// The library's reason in our words, on one line.
std::string reason_of(const CLI::Error& error) {
  std::string text = error.what();
  if (error.get_name() != "ArgumentMismatch") {
    return text;
  }
  const std::size_t start = text.find_first_not_of('-');
  const std::string key = text.substr(start, text.find(':') - start);
  return fmt::format("option {} needs a value; `viaduct run --help` shows its form",
                     option_name(key));
}

/// What the library writes while it parses; the map nodes stay where they are.
struct Parsed {
  std::map<std::string, std::string> values;
  std::map<std::string, bool> flags;
  std::vector<std::string> paths;
  bool help_wanted = false;
};

void declare_options(CLI::App& app, Parsed& parsed) {
  for (const OptionRow& row : option_rows) {
    app.add_option(spelled(row), parsed.values[row.key], row.help)
        ->type_name(row.form)
        ->group(row.group)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  }
  for (const OptionRow& row : flag_rows) {
    app.add_flag(spelled(row), parsed.flags[row.key], row.help)->group(row.group);
  }
  app.add_option("--path",
                 parsed.paths,
                 "one more path, made here: NAME:VAR=VALUE,VAR=VALUE; an empty value unsets")
      ->type_name("PATH")
      ->group(where)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.set_help_flag();
  app.add_flag("-h,--help", parsed.help_wanted, "show this")->group(guard);
}

RunOptions collect(const CLI::App& app, const Parsed& parsed) {
  RunOptions options;
  options.paths = parsed.paths;
  options.help_wanted = parsed.help_wanted;
  options.help = app.help();
  for (const auto& [key, value] : parsed.values) {
    if (app.count("--" + key) != 0) {
      options.values[key] = value;
    }
  }
  for (const auto& [key, is_given] : parsed.flags) {
    if (is_given) {
      options.values[key] = "true";
    }
  }
  if (!options.help_wanted) {
    sort_out_rest(app.remaining(), options);
  }
  return options;
}

}  // namespace

RunOptions read_run_options(const std::vector<std::string>& words) {
  CLI::App app("Measures collectives over several paths in one launch.",
               "viaduct run [PLAN | COLLECTIVE...]");
  app.allow_extras();
  app.footer(footer);
  Parsed parsed;
  declare_options(app, parsed);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::Error& error) {
    throw Error(ErrorKind::usage, reason_of(error));
  }
  return collect(app, parsed);
}

std::string option_name(const std::string& key) {
  const auto has_key = [&key](const OptionRow& row) { return key == row.key; };
  const auto* const row = std::find_if(option_rows.begin(), option_rows.end(), has_key);
  const bool has_letter = row != option_rows.end() && !std::string_view(row->letter).empty();
  return has_letter ? std::string("-") + row->letter : "--" + key;
}

}  // namespace viaduct
