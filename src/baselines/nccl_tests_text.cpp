// Text of nccl-tests and rccl-tests: every table of a job's output, whatever stands around it.

#include "baselines/judge_run.hpp"
#include "baselines/nccl_tests_header.hpp"
#include "baselines/nccl_tests_table.hpp"
#include "baselines/reader.hpp"
#include "baselines/row_fault.hpp"
#include "baselines/text_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace viaduct::baselines {
namespace {

constexpr std::size_t most_devices = 1 << 20;

/// What one stream of lines (all without launcher prefix, or all of one rank) has said since its
/// run began.
struct Block {
  BaselineRun run;
  std::optional<TableHead> head;
  int settings = 0;     ///< lines of settings
  int heads = 0;        ///< heads of tables
  int first_ranks = 0;  ///< device lines of rank 0
  int averages = 0;     ///< closing footers
  RowFaults faults;
  std::string failure;
  int failure_grade = 0;
  bool follows_unfinished = false;  ///< the run before it in this stream had no footer

  [[nodiscard]] bool is_finished() const { return averages > 0 && averages >= heads; }

  [[nodiscard]] bool is_empty() const { return settings == 0 && heads == 0; }
};

class TextReader {
 public:
  Baseline read(std::string_view text) {
    TextLines lines(text);
    TextLine line;
    while (lines.next(line)) {
      take(line);
    }
    for (auto& [stream, block] : open_) {
      flush(block);
    }
    mark_singles();
    return std::move(baseline_);
  }

 private:
  void take(const TextLine& line) {
    const int grade = failure_rank(line.text);
    if (grade > 0) {
      take_failure(grade, line.text);
      return;
    }
    if (!take_row(line)) {
      take_words(line);
    }
  }

  Block& block_of(std::string_view stream) { return open_[std::string(stream)]; }

  /// Any rank may complain of what ended the table of another.
  void take_failure(int grade, std::string_view text) {
    for (auto& [stream, block] : open_) {
      if (grade > block.failure_grade && !block.is_empty() && !block.is_finished()) {
        block.failure_grade = grade;
        block.failure = std::string(trimmed(text));
      }
    }
  }

  /// False: the line is neither a row of the table that is open nor a piece of one.
  bool take_row(const TextLine& line) {
    const auto found = open_.find(line.stream);
    if (found == open_.end() || !found->second.head) {
      return begins_as_row(line.text);
    }
    Block& block = found->second;
    std::optional<BaselineRow> row = table_row(*block.head, line.text);
    if (row) {
      row->line = line.number;
      block.run.rows.push_back(std::move(*row));
      return true;
    }
    const bool is_open = !block.is_finished();
    if (!begins_as_row(line.text) && !(is_open && resembles_row(*block.head, line.text))) {
      return false;
    }
    block.faults.add(fmt::format("line {}", line.number),
                     block.faults.count() == 0 ? row_fault(*block.head, line.text) : "");
    return true;
  }

  void take_words(const TextLine& line) {
    const std::string_view text = trimmed(line.text);
    if (text.empty()) {
      return;
    }
    if (opens_run(text)) {
      take_opening(line, text);
    } else if (const auto head = table_head(text)) {
      take_head(line, *head);
    } else if (auto device = device_of(text)) {
      take_device(block_of(line.stream), std::move(*device));
    } else if (const auto bounds = out_of_bounds_of(text)) {
      block_of(line.stream).run.out_of_bounds = bounds;
    } else if (const auto average = average_of(text)) {
      Block& block = block_of(line.stream);
      block.run.average_busbw = average;
      ++block.averages;
    } else if (text.starts_with("+ ") || text.find("_perf ") != std::string_view::npos) {
      take_command(block_of(line.stream), text);
    }
  }

  /// The command line of the test, where a script printed it before the run.
  static void take_command(Block& block, std::string_view text) {
    for (const std::string_view word : words_of(text)) {
      if (block.is_empty() && word.ends_with("_perf") && !operation_of(word).empty()) {
        block.run.operation = operation_of(word);
      }
    }
  }

  void take_opening(const TextLine& line, std::string_view text) {
    Block& block = block_of(line.stream);
    const bool is_unfinished = !block.run.rows.empty() && !block.is_finished();
    const bool has_failed = block.settings > 0 && block.failure_grade >= 2;
    if (block.is_finished() || is_unfinished || has_failed) {
      flush(block);
      block = Block{};
      block.follows_unfinished = is_unfinished;
    }
    block.settings += is_settings(text) ? 1 : 0;
    block.run.line = block.run.line == 0 ? line.number : block.run.line;
    take_header(text, block.run);
  }

  void take_head(const TextLine& line, const TableHead& head) {
    Block& block = block_of(line.stream);
    // Excerpts of several tables, one after the other, have no settings between them.
    const bool begins_anew = block.is_finished() || (block.settings < 2 && !block.run.rows.empty());
    if (begins_anew) {
      flush(block);
      block = Block{};
    }
    block.head = head;
    ++block.heads;
    block.run.line = block.run.line == 0 ? line.number : block.run.line;
  }

  static void take_device(Block& block, BaselineDevice device) {
    block.first_ranks += device.rank == 0 ? 1 : 0;
    if (block.run.devices.size() < most_devices) {
      block.run.devices.push_back(std::move(device));
    }
  }

  void flush(Block& block) {
    if (block.is_empty() && block.run.rows.empty()) {
      return;
    }
    BaselineRun& run = block.run;
    run.tool = run.tool.empty() ? "nccl-tests" : run.tool;
    count_ranks(run);
    const bool is_mixed =
        block.heads > 1 || block.averages > 1 || (block.first_ranks > 1 && block.settings > 1);
    if (is_mixed && block.follows_unfinished && !baseline_.runs.empty()) {
      refuse_mixed(baseline_.runs.back(), 2, false);
    }
    if (is_mixed && !run.rows.empty()) {
      const int runs = std::max({block.heads, block.averages, block.first_ranks});
      refuse_mixed(run, runs, has_only_rank_0(run));
    }
    RunFacts facts;
    facts.columns = block.head ? key_columns(*block.head) : KeyColumns{};
    facts.failure = block.is_finished() ? "" : block.failure;
    facts.unreadable = block.faults.count() > 0 ? block.faults.text() : "";
    if (block.settings > 0 && block.averages == 0 && !run.rows.empty()) {
      run.notes.push_back({"UNKNOWN", "no closing footer: the run may not have come to its end"});
    }
    judge_run(run, facts);
    baseline_.runs.push_back(std::move(run));
  }

  /// Of the communicator that the table is about: that of the first rank.
  static void count_ranks(BaselineRun& run) {
    std::set<int> ranks;
    for (const BaselineDevice& device : run.devices) {
      if (device.group == run.devices.front().group) {
        ranks.insert(device.rank);
      }
    }
    if (!ranks.empty()) {
      run.ranks = static_cast<int>(ranks.size());
    }
  }

  static bool has_only_rank_0(const BaselineRun& run) {
    return !run.devices.empty() &&
           std::all_of(run.devices.begin(), run.devices.end(), [](const BaselineDevice& device) {
             return device.rank == 0;
           });
  }

  static void refuse_mixed(BaselineRun& run, int runs, bool is_single) {
    if (!run.refusal.empty()) {
      return;
    }
    run.refusal = "INVALID_LAUNCH";
    run.notes.push_back(
        {run.refusal,
         fmt::format(
             "{} {} mixed in one table, from line {}: which row belongs to which run cannot "
             "be told{}",
             runs,
             is_single ? "single-rank runs" : "runs",
             run.line,
             is_single ? "; the launcher started each process alone" : "")});
  }

  /// Tables of ranks alone, each in a stream of its own: that was one launch gone wrong.
  void mark_singles() {
    const auto singles =
        std::count_if(baseline_.runs.begin(), baseline_.runs.end(), [](const BaselineRun& run) {
          return run.ranks == 1 && run.refusal == "INVALID_LAUNCH";
        });
    if (singles > 1 && open_.size() > 1) {
      baseline_.notes.push_back(
          {"INVALID_LAUNCH",
           fmt::format("{} single-rank runs: the launcher started each process alone", singles)});
    }
  }

  Baseline baseline_;
  std::map<std::string, Block, std::less<>> open_;
};

/// A table's head, or settings of a run that never came to it.
bool recognizes(std::string_view text) {
  return any_line_with(
             text, "algbw", [](std::string_view line) { return table_head(line).has_value(); }) ||
         any_line_with(text, "minBytes", [](std::string_view line) { return is_settings(line); });
}

Baseline read(std::string_view text) {
  return TextReader().read(text);
}

}  // namespace

const BaselineReader& nccl_tests_text() {
  static constexpr BaselineReader entry{
      "nccl-tests",
      "text of nccl-tests 1.0 to 2.19 and of rccl-tests, as it stands in a job's log",
      &recognizes,
      &read};
  return entry;
}

}  // namespace viaduct::baselines
