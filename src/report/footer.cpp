#include "report/footer.hpp"

#include "core/cpu_list.hpp"
#include "core/size_text.hpp"
#include "report/host_differences.hpp"
#include "report/limit_lines.hpp"
#include "report/pairs_block.hpp"
#include "report/paths_block.hpp"
#include "report/peer_access_text.hpp"
#include "report/slow_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace viaduct {

namespace {

/// The whole sentence where it is so everywhere; where only some are not proven, how many.
std::string unproven_text(const Result& result) {
  std::size_t ratios = 0;
  std::size_t unproven = 0;
  for (const Verdict& verdict : result.verdicts) {
    ratios += verdict.ratio ? 1U : 0U;
    unproven += verdict.ratio && verdict.verdict == "unproven" ? 1U : 0U;
  }
  const std::string where =
      unproven < ratios ? fmt::format(" for {} of {} ratios", unproven, ratios) : "";
  return fmt::format(
      "Which way the bytes took is not proven by evidence{}: a ratio compares two environments.",
      where);
}

/// How many and on which paths; which ones, the rows themselves say.
std::string missed_goal_text(const Result& result) {
  std::map<std::string, std::size_t> of_path;
  std::size_t missed = 0;
  std::size_t all = 0;
  for (const Measurement& m : result.measurements) {
    all += m.time_us ? 1U : 0U;
    if (has_missed_goal(m)) {
      ++missed;
      ++of_path[m.path];
    }
  }
  std::string paths;
  for (const auto& [path, count] : of_path) {
    paths += fmt::format("{}{} on {}", paths.empty() ? "" : ", ", count, path);
  }
  return fmt::format(
      "!: the time was up before the interval, or that of the ratio, was as narrow as wanted: {} "
      "of "
      "{} measurements ({})",
      missed,
      all,
      paths);
}

std::string legend(const Result& result, const TableNotes& notes, const std::string& reference) {
  std::string text;
  const auto add = [&](Mark mark, const std::string& line) {
    text += notes.uses(mark) ? line + "\n" : "";
  };
  add(Mark::interval,
      "+-: half width of the 95 % interval of the median, within one launch of the lanes");
  add(Mark::missed_goal, missed_goal_text(result));
  add(Mark::unsettled, "~: the times had not settled at the end of the warm-up");
  add(Mark::spread, "spread: (highest - lowest) / median of the medians of several launches");
  add(Mark::directions,
      "both/one: both directions at once / one of them by itself; 2 where they share nothing");
  add(Mark::share, "share: busbw / the best that this hardware can reach this way, see limit");
  add(Mark::unchecked, "n/c: not checked");
  add(Mark::no_record, "-: no record");
  add(Mark::ratio,
      fmt::format(
          "ratio: time of the path / time of {}, of paired batches, with its 95 % interval; "
          "above 1 is slower than {}",
          reference,
          reference));
  add(Mark::no_contrast, "=: both paths took the same way; the ratio compares nothing");
  add(Mark::contradicted, "#: evidence contradicts the path on this case");
  add(Mark::health, "*: something happened to a GPU meanwhile, see health");
  add(Mark::unproven, unproven_text(result));
  return text;
}

std::string numbered_notes(const TableNotes& notes) {
  std::string text;
  for (std::size_t i = 0; i < notes.texts().size(); ++i) {
    text += fmt::format("[{}] {}\n", i + 1, notes.texts()[i]);
  }
  return text;
}

/// The rank of the launch, as launchers and hosts files count.
std::string slow_rank_text(const Measurement& m) {
  if (!m.group) {
    return fmt::format("rank {}", *m.slowest_rank);
  }
  const auto at = static_cast<std::size_t>(*m.slowest_rank);
  const std::vector<int>& ranks = m.group->ranks;
  return fmt::format(
      "rank {} of {}", at < ranks.size() ? ranks[at] : *m.slowest_rank, group_text(*m.group));
}

/// 0 for a text that is no list: a mask that could not be read is no reason to fail over a table.
std::size_t cpus_in(const std::string& list) {
  try {
    return parse_cpu_list(list).size();
  } catch (const Error&) {
    return 0;
  }
}

}  // namespace

std::string slow_ranks(const Result& result) {
  constexpr int most_lines = 10;
  std::string text;
  int found = 0;
  for (const Measurement& m : result.measurements) {
    if (!m.slowest_rank || ++found > most_lines) {
      continue;
    }
    text += fmt::format("slow: {} stands out in {} {} {} {} on {}\n",
                        slow_rank_text(m),
                        m.c.operation,
                        format_size(m.c.size_bytes),
                        name(m.c.datatype),
                        name(m.c.mode),
                        m.path);
  }
  if (found > most_lines) {
    text += fmt::format("slow: {} more cases with a rank that stands out\n", found - most_lines);
  }
  return text;
}

std::string health_lines(const Result& result) {
  constexpr int most_lines = 10;
  std::string text;
  int found = 0;
  for (const Measurement& m : result.measurements) {
    if (m.health.empty() || ++found > most_lines) {
      continue;
    }
    text += fmt::format("health: {} {} {} on {}: {}\n",
                        m.c.operation,
                        format_size(m.c.size_bytes),
                        name(m.c.mode),
                        m.path,
                        m.health);
  }
  return found > most_lines ? text + fmt::format("health: {} more cases\n", found - most_lines)
                            : text;
}

std::string narrower_masks(const Manifest& manifest) {
  const RankInfo* example = nullptr;
  int narrower = 0;
  for (const RankInfo& rank : manifest.rank_info) {
    const std::size_t given = cpus_in(rank.launcher_cpus);
    const std::size_t used = cpus_in(rank.worker_cpus);
    if (given != 0 && given < used) {
      example = example == nullptr ? &rank : example;
      ++narrower;
    }
  }
  if (example == nullptr) {
    return "";
  }
  return fmt::format(
      "CPUs: a job with this launch line gets fewer cores than the measurement had, on {} of {} "
      "ranks: rank {} on {} measured on {} ({}), the launcher gave {} ({})\n",
      narrower,
      manifest.rank_info.size(),
      example->rank,
      example->host,
      cpus_in(example->worker_cpus),
      example->worker_cpus,
      cpus_in(example->launcher_cpus),
      example->launcher_cpus);
}

std::string gates_block(const Result& result) {
  std::size_t width = 0;
  for (const GateVerdict& gate : result.gates) {
    width = std::max(width, gate.name.size());
  }
  std::string text;
  for (const GateVerdict& gate : result.gates) {
    text += fmt::format("  {:<7}  {:<{}}  {}\n", name(gate.state), gate.name, width, gate.reason);
  }
  return text.empty() ? "" : "Gates\n" + text;
}

std::string hosts_block(const Manifest& manifest) {
  std::string text;
  for (const std::string& line : describe(host_differences(manifest))) {
    text += line + "\n";
  }
  return text;
}

std::string ending(const Result& result) {
  if (!result.end) {
    return fmt::format(
        "partial: the file has no end, the run was cut off after {} measurements{}\n",
        result.measurements.size(),
        result.last_line_torn ? "; its last line is torn and was left out" : "");
  }
  const End& end = *result.end;
  const std::string reason = end.reason.empty() ? "" : ": " + end.reason;
  return fmt::format(
      "{}{}: {} measurements, {} skipped, {} lost, {} wrong, in {:.1f} s; exit code {}\n",
      end.status,
      reason,
      end.measurements,
      end.skipped,
      end.lost,
      end.wrong,
      end.elapsed_s,
      end.exit_code);
}

std::string footer(const Result& result, const TableNotes& notes, const std::string& reference) {
  std::string text = paths_block(result) + limit_lines(result) + hosts_block(result.manifest) +
                     legend(result, notes, reference);
  text += numbered_notes(notes) + one_way_line(result) + slow_groups(result) + slow_ranks(result) +
          health_lines(result);
  text += narrower_masks(result.manifest);
  for (const std::string& sentence : useless_peer_access(result)) {
    text += "warning: " + sentence + "\n";
  }
  for (const std::string& warning : result.manifest.warnings) {
    text += "warning: " + warning + "\n";
  }
  return text + gates_block(result) + ending(result);
}

}  // namespace viaduct
