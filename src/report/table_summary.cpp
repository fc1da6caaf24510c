#include "report/table_summary.hpp"

#include "core/size_text.hpp"
#include "report/number_text.hpp"
#include "report/paths_block.hpp"
#include "stats/linear_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace viaduct {

namespace {

bool is_by_size(const CaseTable& table) {
  const CaseRow& first = table.rows.front();
  return std::all_of(table.rows.begin(), table.rows.end(), [&first](const CaseRow& row) {
    return row.group == first.group && row.from == first.from && row.to == first.to;
  });
}

std::vector<SizeTime> curve(const CaseTable& table, std::size_t path) {
  std::vector<SizeTime> points;
  for (const CaseRow& row : table.rows) {
    const Measurement* m = row.by_path[path];
    if (m != nullptr && m->time_us && m->status == Status::ok) {
      points.push_back({m->c.size_bytes, m->time_us->median});
    }
  }
  return points;
}

std::string about_size(double bytes) {
  constexpr double kib = 1024;
  const char* unit = "";
  for (const char* next : {"K", "M", "G"}) {
    if (bytes < kib) {
      break;
    }
    bytes /= kib;
    unit = next;
  }
  return fmt::format("{:.3g}{}", bytes, unit);
}

std::string fit_line(const std::string& path, const std::vector<SizeTime>& points) {
  const auto fit = fit_latency_bandwidth(points);
  return fit ? fmt::format("{}: t = {} us + S / {} GB/s, half of it at {}",
                           path,
                           four_digits(fit->alpha_us),
                           four_digits(fit->beta_gbs),
                           about_size(fit->half_size_bytes))
             : "";
}

/// "direct: RING LL 8 to 16K, RING SIMPLE 32K to 1G": as a line, because a column would take the
/// width of a path. Empty where no algorithm is known.
std::string algorithm_line(const std::string& path, const CaseTable& table, std::size_t at) {
  struct Stretch {
    std::string choice;
    std::uint64_t first = 0;
    std::uint64_t last = 0;
  };

  std::map<std::uint64_t, std::string> by_size;
  for (const CaseRow& row : table.rows) {
    const Measurement* m = row.by_path[at];
    if (m != nullptr && m->algorithm && !m->algorithm->algorithm.empty()) {
      const std::string& protocol = m->algorithm->protocol;
      by_size[m->c.size_bytes] = m->algorithm->algorithm + (protocol.empty() ? "" : " " + protocol);
    }
  }
  std::vector<Stretch> stretches;
  for (const auto& [size, choice] : by_size) {
    if (stretches.empty() || stretches.back().choice != choice) {
      stretches.push_back({choice, size, size});
    }
    stretches.back().last = size;
  }
  std::string text;
  for (const Stretch& stretch : stretches) {
    text += fmt::format("{}{} {}",
                        text.empty() ? "" : ", ",
                        stretch.choice,
                        stretch.first == stretch.last
                            ? "at " + format_size(stretch.first)
                            : format_size(stretch.first) + " to " + format_size(stretch.last));
  }
  return text.empty() ? "" : path + ": " + text;
}

/// Verdicts of one path with a ratio, by size.
std::map<std::uint64_t, const Verdict*> verdicts_by_size(const CaseTable& table, std::size_t path) {
  std::map<std::uint64_t, const Verdict*> verdicts;
  for (const CaseRow& row : table.rows) {
    const Verdict* verdict = row.verdicts[path];
    if (verdict != nullptr && verdict->ratio && row.c.size_bytes > 0) {
      verdicts[row.c.size_bytes] = verdict;
    }
  }
  return verdicts;
}

using Verdicts = std::map<std::uint64_t, const Verdict*>;

/// Between the last two sizes whose intervals lie on different sides of 1.
Crossover crossover_of(const Verdicts& verdicts) {
  Crossover found;
  std::uint64_t before = 0;
  double log_before = 0;
  for (const auto& [size, verdict] : verdicts) {
    const RatioSummary& ratio = *verdict->ratio;
    const bool is_open = ratio.low <= 1 && ratio.high >= 1;
    // Two names of one way may differ by a hair at any size; that is no crossing.
    const bool compares = verdict->verdict != "broken" && verdict->verdict != "no-contrast";
    if (is_open || !compares || ratio.median <= 0) {
      continue;
    }
    const double log_ratio = std::log(ratio.median);
    if (before != 0 && log_before * log_ratio < 0) {
      const double share = log_before / (log_before - log_ratio);
      const double a = std::log(static_cast<double>(before));
      const double b = std::log(static_cast<double>(size));
      found.size_bytes = std::exp(a + share * (b - a));
      found.text = fmt::format("{} and {} cross near {}, between {} and {}",
                               verdict->path,
                               verdict->reference,
                               about_size(found.size_bytes),
                               format_size(before),
                               format_size(size));
    }
    before = size;
    log_before = log_ratio;
  }
  return found;
}

std::string proof_text(const Proofs& proofs, const Verdict& verdict) {
  const auto proof_of = [&proofs](const std::string& name) {
    const auto found = proofs.find(name);
    return found == proofs.end() ? std::string() : found->second;
  };
  const std::string path = proof_of(verdict.path);
  const std::string reference = proof_of(verdict.reference);
  if (path == reference && !path.empty()) {
    return "both proven by " + path;
  }
  const auto one = [](const std::string& name, const std::string& by) {
    return by.empty() ? name + " is not judged" : name + " is proven by " + by;
  };
  return one(verdict.path, path) + ", " + one(verdict.reference, reference);
}

/// "direct is 4.1x to 10.2x faster than host-staged".
std::string claim(const std::vector<const Verdict*>& verdicts) {
  const Verdict& last = *verdicts.front();
  if (last.verdict != "faster" && last.verdict != "slower") {
    return fmt::format("{} against {}: {}", last.path, last.reference, last.verdict);
  }
  const bool is_slower = last.verdict == "slower";
  double least = 0;
  double most = 0;
  for (const Verdict* verdict : verdicts) {
    const double median = verdict->ratio->median;
    const double times = is_slower || median <= 0 ? median : 1 / median;
    least = least == 0 ? times : std::min(least, times);
    most = std::max(most, times);
  }
  const std::string low = fmt::format("{:.3g}x", least);
  const std::string high = fmt::format("{:.3g}x", most);
  return fmt::format("{} is {} faster than {}",
                     is_slower ? last.reference : last.path,
                     low == high ? low : low + " to " + high,
                     is_slower ? last.path : last.reference);
}

/// Words of the smaller sizes, each with how many.
std::string words_below(const Verdicts& verdicts, std::uint64_t from) {
  std::map<std::string, int> words;
  for (const auto& [size, verdict] : verdicts) {
    if (size < from) {
      ++words[verdict->verdict];
    }
  }
  std::string text;
  for (const auto& [word, sizes] : words) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", word, sizes);
  }
  return text.empty() ? "" : fmt::format(" (sizes below: {})", text);
}

/// On the largest sizes that share a verdict.
std::string sentence(const Proofs& proofs, const Verdicts& verdicts) {
  std::vector<const Verdict*> same;
  std::uint64_t from = 0;
  for (auto at = verdicts.rbegin(); at != verdicts.rend(); ++at) {
    if (!same.empty() && at->second->verdict != same.front()->verdict) {
      break;
    }
    same.push_back(at->second);
    from = at->first;
  }
  const std::string& word = same.front()->verdict;
  const bool is_claim = word != "unproven" && word != "broken";
  return fmt::format("{} from {} on{}{}",
                     claim(same),
                     format_size(from),
                     words_below(verdicts, from),
                     is_claim ? "; " + proof_text(proofs, *same.front()) : "");
}

}  // namespace

std::vector<PathSummary> summarize_table(const CaseTable& table,
                                         const std::vector<std::string>& paths,
                                         const Proofs& proofs) {
  if (!is_by_size(table)) {
    return {};
  }
  std::vector<PathSummary> all;
  for (std::size_t path = 0; path < paths.size(); ++path) {
    PathSummary one{paths[path], algorithm_line(paths[path], table, path), "", {}, "", ""};
    one.fit = fit_line(paths[path], curve(table, path));
    const Verdicts verdicts = path == 0 ? Verdicts{} : verdicts_by_size(table, path);
    const bool says_more = std::any_of(verdicts.begin(), verdicts.end(), [](const auto& entry) {
      return entry.second->verdict != "unproven" && entry.second->verdict != "broken";
    });
    // Without evidence the footer says so once; a sentence on two names would claim too much.
    if (says_more) {
      one.crossover = crossover_of(verdicts);
      one.sentence = sentence(proofs, verdicts);
      one.verdict = verdicts.rbegin()->second->verdict;
    }
    all.push_back(std::move(one));
  }
  return all;
}

std::string table_summary(const std::vector<PathSummary>& summaries) {
  const auto line = [](const std::string& text) { return text.empty() ? "" : text + "\n"; };
  std::string text;
  for (const PathSummary& one : summaries) {
    text += line(one.algorithm) + line(one.fit);
  }
  for (const PathSummary& one : summaries) {
    text += line(one.crossover.text) + line(one.sentence);
  }
  return text;
}

}  // namespace viaduct
