// viaduct launch: makes the launch line and runs it. For the mpi engine, one launch for each path
// and block, then one result.

#include "app/block_words.hpp"
#include "app/build_info.hpp"
#include "app/command_words.hpp"
#include "app/commands.hpp"
#include "app/join_blocks.hpp"
#include "app/run_gates.hpp"
#include "app/session_plan.hpp"
#include "collectives/collective.hpp"
#include "config/option_values.hpp"
#include "config/run_arguments.hpp"
#include "core/deadline.hpp"
#include "core/exit_code.hpp"
#include "launch/block_plan.hpp"
#include "launch/child_process.hpp"
#include "launch/launch_line.hpp"
#include "paths/environment.hpp"
#include "probe/gpus.hpp"
#include "report/end_counts.hpp"
#include "report/result_writer.hpp"
#include "report/text_table.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace viaduct {
namespace {

struct LaunchWords {
  LaunchRequest request;
  LaunchFacts facts;
  bool dry_run = false;
  double limit_s = 0;
};

/// The words before `--` are the launcher's, those after it are `run` and its own.
LaunchWords parse_words(const std::vector<std::string>& words, bool* help) {
  const auto dashes = std::find(words.begin(), words.end(), "--");
  LaunchWords launch;
  CLI::App app("Makes the launch line of a run and runs it.",
               "viaduct launch -n N [options] -- run ...");
  constexpr int most_ranks = 1 << 24;
  std::string ranks;
  app.add_option("-n,--ranks", ranks, "ranks, one per GPU (default: --per-host on every host)")
      ->type_name("N");
  app.add_option("--per-host", launch.request.per_host, "ranks on each host")
      ->check(CLI::Range(1, most_ranks));
  app.add_option("--launcher",
                 launch.request.launcher,
                 "auto, mpirun or srun (auto: srun inside an allocation, else mpirun)");
  app.add_option("--hosts", launch.request.hosts_file, "hosts file: lines HOST slots=N");
  app.add_option("-x,--export",
                 launch.request.exports,
                 "NAME or NAME=VALUE: a variable for every rank; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--limit", launch.limit_s, "seconds after which each launch is ended; 0: none")
      ->check(CLI::Range(0.0, 1e8));
  app.add_flag("--dry-run", launch.dry_run, "show the lines, start nothing");
  if (!parse_command(app, {words.begin(), dashes}, "launch")) {
    *help = true;
    return launch;
  }
  if (!ranks.empty()) {
    launch.request.ranks = static_cast<int>(
        whole_number("launch: -n", ranks, 1, static_cast<std::uint64_t>(most_ranks)));
  }
  if (dashes == words.end() || dashes + 1 == words.end() || *(dashes + 1) != "run") {
    throw Error(ErrorKind::usage,
                "launch: the words after -- must begin with run: viaduct launch -n 4 -- run quick");
  }
  launch.request.run_words.assign(dashes + 2, words.end());
  launch.request.program = std::filesystem::read_symlink("/proc/self/exe").string();
  return launch;
}

void show_notes(const LaunchLine& line, bool quiet) {
  for (const std::string& note : line.notes) {
    if (!quiet) {
      fmt::print(stderr, "viaduct: {}\n", note);
    }
  }
}

/// Why this program ended the launcher; empty: it ended by itself, or by a signal passed on.
std::string why_ended(const ChildOutcome& outcome, const LaunchLine& line, double limit_s) {
  if (outcome.timed_out) {
    return fmt::format("was ended after its limit of {} s", limit_s);
  }
  if (outcome.hung) {
    return fmt::format(
        "was ended: its ranks on this host have ended, but {} has not; does a host not answer?",
        line.words.front());
  }
  return "";
}

/// Ranks that an MPI of another kind starts each believe to be alone: the run then says so.
void expect_all_ranks(LaunchWords& launch, const RunConfig& config) {
  if (config.expect_ranks == 0) {
    launch.request.run_words.emplace_back("--expect-ranks");
    launch.request.run_words.push_back(
        std::to_string(make_launch_line(launch.request, launch.facts).ranks));
  }
}

ChildLimits limits_of(const LaunchWords& launch, DeathGuard& guard) {
  ChildLimits limits;
  limits.limit_s = launch.limit_s;
  limits.guard = &guard;
  return limits;
}

int launch_once(LaunchWords launch, const RunConfig& config, DeathGuard& guard) {
  expect_all_ranks(launch, config);
  const LaunchLine line = make_launch_line(launch.request, launch.facts);
  if (launch.dry_run) {
    fmt::print("{}\n", shell_text(line));
    return 0;
  }
  show_notes(line, config.quiet);
  const ChildOutcome outcome = run_child(line, limits_of(launch, guard));
  if (const std::string why = why_ended(outcome, line, launch.limit_s); !why.empty()) {
    fmt::print(stderr, "viaduct: the launch {}\n", why);
    return static_cast<int>(ExitCode::lost);
  }
  return outcome.exit_code;
}

/// The launches of one run of the mpi engine: their files in a folder of their own, until they are
/// joined.
class BlockedLaunch {
 public:
  BlockedLaunch(LaunchWords launch,
                RunConfig config,
                std::vector<PathSpec> paths,
                DeathGuard& guard)
      : guard_(guard),
        launch_(std::move(launch)),
        config_(std::move(config)),
        paths_(std::move(paths)),
        gates_(load_run_gates(config_.gates)),
        ranks_(make_launch_line(launch_.request, launch_.facts).ranks) {}

  ~BlockedLaunch() { remove_folder(); }

  BlockedLaunch(const BlockedLaunch&) = delete;
  BlockedLaunch& operator=(const BlockedLaunch&) = delete;

  int run();

 private:
  int dry_run();
  void make_folder();
  void remove_folder() noexcept;
  BlockResult run_block(const LaunchBlock& block, std::size_t index, std::size_t blocks);
  LaunchLine line_of(const PathSpec& path, std::vector<std::string> run_words) const;
  std::string write_config(const PathSpec& path, const std::string& stem) const;
  const PathSpec& path_named(const std::string& name) const;
  void note_code(ExitCode code);
  void give_up(const Error& error,
               const std::vector<LaunchBlock>& blocks,
               std::size_t first,
               std::vector<BlockResult>& results);
  int write_joined(const std::vector<BlockResult>& results);

  DeathGuard& guard_;
  LaunchWords launch_;
  RunConfig config_;
  std::vector<PathSpec> paths_;
  LoadedGates gates_;
  int ranks_ = 0;
  std::string folder_;
  int worst_code_ = 0;
  int passed_signal_ = 0;
  std::string unfinished_;  ///< the first launch that did not come to its own end, and why
  Deadline started_ = Deadline::after(0);
};

const PathSpec& BlockedLaunch::path_named(const std::string& name) const {
  return *std::find_if(
      paths_.begin(), paths_.end(), [&](const PathSpec& path) { return path.name == name; });
}

int blocks_per_path(const RunConfig& config) {
  return std::max(2, config.reopen);
}

LaunchLine BlockedLaunch::line_of(const PathSpec& path, std::vector<std::string> run_words) const {
  LaunchRequest request = launch_.request;
  request.environment = path.set;
  request.unset = launch_unset(current_environment(), path);
  request.engine = Engine::mpi;
  request.run_words = std::move(run_words);
  return make_launch_line(request, launch_.facts);
}

std::string BlockedLaunch::write_config(const PathSpec& path, const std::string& stem) const {
  RunConfig block = config_;
  block.engine = EngineChoice::mpi;
  block.path_names = {path.name};
  block.keep_samples = true;
  block.reopen = 1;
  block.gates = {};
  block.cap_s = config_.cap_s / blocks_per_path(config_);
  block.out_dir = folder_;
  block.out_name = stem;
  block.expect_ranks = config_.expect_ranks == 0 ? ranks_ : config_.expect_ranks;
  const std::string file = folder_ + "/" + stem + ".config.json";
  std::ofstream out(file);
  out << to_text(block);
  out.close();
  if (!out) {
    throw Error(ErrorKind::io, fmt::format("cannot write {}: {}", file, std::strerror(errno)));
  }
  return file;
}

int BlockedLaunch::dry_run() {
  fmt::print(
      "# one launch for each path and block, in this order; viaduct launch hands each its block "
      "in a file and joins the results, by hand each line leaves a result of its own\n");
  for (const LaunchBlock& block : plan_blocks(paths_, blocks_per_path(config_))) {
    const auto words = words_of_block(launch_.request.run_words, block.path);
    fmt::print("{}\n", shell_text(line_of(path_named(block.path), words)));
  }
  return 0;
}

void BlockedLaunch::make_folder() {
  std::error_code error;
  std::filesystem::create_directories(config_.out_dir, error);
  std::string name = config_.out_dir + "/.blocks-XXXXXX";
  if (error || mkdtemp(name.data()) == nullptr) {
    throw Error(ErrorKind::usage,
                fmt::format("--out {}: no file can be written there: {}",
                            config_.out_dir,
                            error ? error.message() : std::strerror(errno)));
  }
  folder_ = name;
  guard_.watch_folder(std::filesystem::absolute(folder_).string());
}

void BlockedLaunch::remove_folder() noexcept {
  if (!folder_.empty()) {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
    guard_.watch_folder("");
    folder_.clear();
  }
}

/// Refusals stand as they are; of the rest, wrong data is the gravest and everything else a loss.
void BlockedLaunch::note_code(ExitCode code) {
  if (code == ExitCode::usage || code == ExitCode::refused) {
    worst_code_ = static_cast<int>(code);
  } else if (code != ExitCode::ok && worst_code_ != static_cast<int>(ExitCode::wrong_data)) {
    worst_code_ =
        static_cast<int>(code == ExitCode::wrong_data ? ExitCode::wrong_data : ExitCode::lost);
  }
}

BlockResult BlockedLaunch::run_block(const LaunchBlock& block,
                                     std::size_t index,
                                     std::size_t blocks) {
  const PathSpec& path = path_named(block.path);
  const std::string stem = fmt::format("{:02}-{}", index + 1, path.name);
  const LaunchLine line = line_of(path, {"--from-config", write_config(path, stem)});
  if (index == 0) {
    show_notes(line, config_.quiet);
  }
  if (!config_.quiet) {
    fmt::print(stderr, "viaduct: launch {} of {}, path {}\n", index + 1, blocks, path.name);
  }
  const ChildOutcome outcome = run_child(line, limits_of(launch_, guard_));
  passed_signal_ = outcome.passed_signal;
  BlockResult result;
  result.path = path.name;
  const std::string why = why_ended(outcome, line, launch_.limit_s);
  if (!why.empty()) {
    result.failure = fmt::format("launch {} {}", index + 1, why);
  } else if (outcome.exit_code != 0) {
    result.failure = fmt::format("launch {} ended with exit code {}", index + 1, outcome.exit_code);
  }
  const std::string file = folder_ + "/" + stem + ".jsonl";
  std::error_code is_missing;
  if (std::filesystem::file_size(file, is_missing) > 0 && !is_missing) {
    result.result = read_result(file);
  } else if (result.failure.empty()) {
    throw Error(ErrorKind::io,
                fmt::format("launch {} left no result in {}: --out must be a folder that this host "
                            "and rank 0's host share",
                            index + 1,
                            config_.out_dir));
  }
  const auto& end = result.result.end;
  if (!result.failure.empty() && end && !end->reason.empty()) {
    result.failure += ": " + end->reason;
  }
  const bool has_ended = end && end->status == "complete";
  if (!has_ended && unfinished_.empty()) {
    unfinished_ = fmt::format("path {}: {}", path.name, result.failure);
  }
  note_code(why.empty() ? static_cast<ExitCode>(outcome.exit_code) : ExitCode::lost);
  return result;
}

int BlockedLaunch::write_joined(const std::vector<BlockResult>& results) {
  Result joined = join_blocks(results, paths_, config_.keep_samples);
  joined.manifest.command_line = {"viaduct", "launch", "-n", std::to_string(ranks_), "--", "run"};
  joined.manifest.command_line.insert(joined.manifest.command_line.end(),
                                      launch_.request.run_words.begin(),
                                      launch_.request.run_words.end());
  ResultWriter writer(config_.out_dir, result_name(config_));
  writer.write(joined.manifest);
  End end;
  end.exit_code = passed_signal_ != 0 ? interrupted_exit_code(passed_signal_) : worst_code_;
  if (passed_signal_ != 0) {
    end.status = "interrupted";
    end.reason = fmt::format("signal {}", passed_signal_);
  } else if (!unfinished_.empty()) {
    end.status = "failed";
    end.reason = unfinished_;
  }
  const GatesOutcome outcome = judge_run(gates_, joined);
  joined.gates = outcome.verdicts;
  if (end.status == "complete") {
    end.exit_code = static_cast<int>(graver(static_cast<ExitCode>(end.exit_code), outcome.code));
    end.reason = outcome.reason;
  }
  end = with_counts(std::move(end), joined.measurements);
  if (end.exit_code == 0 && all_skipped(joined.measurements)) {
    end.exit_code = static_cast<int>(ExitCode::usage);
  }
  for (const Measurement& measurement : joined.measurements) {
    writer.write(measurement);
  }
  for (const Verdict& verdict : joined.verdicts) {
    writer.write(verdict);
  }
  for (const PairFinding& finding : joined.findings) {
    writer.write(finding);
  }
  for (const GateVerdict& gate : joined.gates) {
    writer.write(gate);
  }
  end.elapsed_s = std::chrono::duration<double>(Deadline::Clock::now() - started_.when()).count();
  writer.write(end);
  joined.end = end;
  joined.file = writer.file();
  fmt::print("{}result: {}\n", text_table(joined), writer.file());
  if (all_skipped(joined.measurements)) {
    fmt::print(stderr, "viaduct: {}\n", nothing_ran_text(joined.measurements));
  }
  return end.exit_code;
}

/// The launches that did not come to their end leave their cases lost, with this reason.
void BlockedLaunch::give_up(const Error& error,
                            const std::vector<LaunchBlock>& blocks,
                            std::size_t first,
                            std::vector<BlockResult>& results) {
  worst_code_ = static_cast<int>(exit_code(error.kind()));
  unfinished_ = error.message();
  fmt::print(stderr, "viaduct: {}; what was measured before is joined\n", error.message());
  for (std::size_t i = first; i < blocks.size(); ++i) {
    BlockResult none;
    none.path = blocks[i].path;
    none.failure = error.message();
    results.push_back(std::move(none));
  }
}

int BlockedLaunch::run() {
  if (launch_.dry_run) {
    return dry_run();
  }
  make_folder();
  std::vector<BlockResult> results;
  const std::vector<LaunchBlock> blocks = plan_blocks(paths_, blocks_per_path(config_));
  bool any_result = false;
  for (std::size_t i = 0; i < blocks.size() && passed_signal_ == 0; ++i) {
    try {
      results.push_back(run_block(blocks[i], i, blocks.size()));
    } catch (const Error& error) {
      // A full disk must not take what the launches before have measured.
      if (error.kind() != ErrorKind::io || !any_result) {
        throw;
      }
      give_up(error, blocks, i, results);
      break;
    }
    any_result = any_result || !results.back().result.file.empty();
    const bool refused = worst_code_ == static_cast<int>(ExitCode::usage) ||
                         worst_code_ == static_cast<int>(ExitCode::refused);
    if (refused) {
      break;
    }
  }
  // All is read: the room that the blocks took is needed for what comes of them.
  remove_folder();
  const int code = any_result ? write_joined(results) : worst_code_;
  return passed_signal_ != 0 ? interrupted_exit_code(passed_signal_) : code;
}

}  // namespace

int launch_command(const std::vector<std::string>& words) {
  bool help = false;
  LaunchWords launch = parse_words(words, &help);
  if (help) {
    return 0;
  }
  DeathGuard guard;  // before anything here can start a thread
  const RunArguments arguments =
      parse_run_arguments(launch.request.run_words, collectives::names());
  if (arguments.help_wanted) {
    fmt::print("{}", arguments.help);
    return 0;
  }
  sibling_program("viaduct-rank");
  const bool gpu_is_visible = !read_gpus().gpus.empty();
  const Engine engine = resolve_engine(arguments.config, gpu_is_visible);
  const RunConfig config = for_engine(arguments.config, engine);
  launch.facts = launch_facts();
  if (engine == Engine::mpi) {
    return BlockedLaunch(std::move(launch), config, resolve_paths(config, engine), guard).run();
  }
  return launch_once(std::move(launch), config, guard);
}

}  // namespace viaduct
