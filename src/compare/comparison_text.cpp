#include "compare/comparison_views.hpp"
#include "core/size_text.hpp"
#include "report/number_text.hpp"
#include "report/table_layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace viaduct {
namespace {

constexpr std::size_t table_width = 160;
constexpr std::size_t most_listed = 5;

PointKey curve_of(PointKey key) {
  key.size_bytes.reset();
  // All pairs of devices of one test stand in one table.
  key.from.clear();
  key.to.clear();
  return key;
}

std::string value_text(const ComparedPoint& point) {
  if (!point.value) {
    return name(point.status);
  }
  // Only a rate is known: its inverse is no time of an operation.
  return point.algbw_gbs && *point.value * *point.algbw_gbs == 1 ? "-" : four_digits(*point.value);
}

std::string rate_text(const ComparedPoint& point) {
  const std::optional<double>& rate = point.busbw_gbs ? point.busbw_gbs : point.algbw_gbs;
  return rate ? four_digits(*rate) : "-";
}

std::string count_text(const ComparedPoint& point) {
  if (point.launches.size() > 1) {
    return fmt::format("{} launches", point.launches.size());
  }
  if (!point.samples.empty()) {
    return fmt::format("{} samples", point.samples.size());
  }
  return point.within ? "interval" : "-";
}

GroupCells side_cells(const ComparedPoint& point) {
  return {{value_text(point), rate_text(point), count_text(point)}, ""};
}

std::string ratio_text(const PointVerdict& verdict) {
  if (!verdict.ratio) {
    return "-";
  }
  if (!verdict.single) {
    return four_digits(*verdict.ratio);
  }
  return fmt::format("{} [{},{}]",
                     four_digits(*verdict.ratio),
                     four_digits(verdict.single->low),
                     four_digits(verdict.single->high));
}

std::string case_text(const PointKey& key) {
  if (!key.from.empty()) {
    return key.from + " to " + key.to;
  }
  return key.size_bytes ? format_size(*key.size_bytes) : "-";
}

std::string basis_text(const ComparedRow& row) {
  if (row.verdict.basis.empty()) {
    return "none";
  }
  return row.verdict.basis;
}

std::string table_text(const std::vector<const ComparedRow*>& rows) {
  const std::vector<TextColumn> values{{"time", "us"}, {"busbw", "GB/s"}, {"data", ""}};
  const std::vector<ColumnGroup> groups{
      {"", {{rows.front()->key.from.empty() ? "size" : "pair", ""}}},
      {"A", values},
      {"B", values},
      {"B / A", {{"ratio [low,high]", ""}, {"verdict", ""}, {"by", ""}}}};
  std::vector<TextRow> lines;
  for (const ComparedRow* row : rows) {
    lines.push_back({{{case_text(row->key)}, ""},
                     side_cells(row->a),
                     side_cells(row->b),
                     {{ratio_text(row->verdict), row->verdict.word, basis_text(*row)}, ""}});
  }
  return lay_out(groups, lines, table_width);
}

/// Curves in the order in which their first row comes.
std::string tables_text(const Comparison& comparison) {
  std::vector<std::pair<PointKey, std::vector<const ComparedRow*>>> tables;
  for (const ComparedRow& row : comparison.rows) {
    const PointKey curve = curve_of(row.key);
    auto found = std::find_if(
        tables.begin(), tables.end(), [&curve](const auto& table) { return table.first == curve; });
    if (found == tables.end()) {
      tables.push_back({curve, {}});
      found = tables.end() - 1;
    }
    found->second.push_back(&row);
  }
  std::string text;
  for (const auto& [curve, rows] : tables) {
    text += describe(curve) + "\n" + table_text(rows) + "\n";
  }
  return text;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : "; ") + word;
  }
  return text;
}

std::string counts_text(const Comparison& comparison) {
  std::string text;
  for (const char* word : {"broken", "lost", "regression", "improvement", "same", "unclear"}) {
    const std::size_t count = count_of(comparison, word);
    if (count > 0) {
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", word, count);
    }
  }
  return text + "\n";
}

/// Every row whose verdict a person must see, with its reason.
std::string reasons_text(const Comparison& comparison) {
  std::string text;
  for (const ComparedRow& row : comparison.rows) {
    const std::string& word = row.verdict.word;
    if (word == "regression" || word == "broken" || word == "lost") {
      text += fmt::format("{}: {}: {}\n", word, describe(row.key), row.verdict.reason);
    }
  }
  return text;
}

std::string left_over(const std::vector<PointKey>& keys, const char* side) {
  if (keys.empty()) {
    return "";
  }
  std::string text = fmt::format("only in {}: {} cases: ", side, keys.size());
  for (std::size_t i = 0; i < std::min(keys.size(), most_listed); ++i) {
    text += (i == 0 ? "" : "; ") + describe(keys[i]);
  }
  return text + (keys.size() > most_listed ? "; ...\n" : "\n");
}

bool has(const Comparison& comparison, LaunchNoise::Source source, bool with_basis) {
  return std::any_of(comparison.rows.begin(), comparison.rows.end(), [&](const ComparedRow& row) {
    return row.noise.source == source && row.verdict.basis.empty() != with_basis;
  });
}

/// What the verdicts rest on: as much as one needs to know how far to trust them.
std::string basis_notes(const Comparison& comparison) {
  using Source = LaunchNoise::Source;
  std::string text;
  if (has(comparison, Source::launches, true)) {
    text +=
        "by launches: the medians of several launches, so that what differs from launch to launch "
        "is in the interval\n";
  }
  const bool is_single =
      has(comparison, Source::neighbours, true) || has(comparison, Source::assumed, true);
  if (is_single && comparison.is_one_launch) {
    text +=
        "by samples or intervals: both paths ran in turn in one launch; the interval covers that "
        "launch only\n";
  } else if (is_single) {
    text += fmt::format(
        "by samples or intervals: one launch each, whose spread was not measured; taken as what "
        "sizes "
        "nearby show, {} % (standard deviation) at least{}. One launch cannot tell more: measure "
        "with "
        "--reopen 5, or give repeats A1,A2,A3 B1,B2,B3\n",
        percent_number(comparison.options.launch_deviation.value_or(least_launch_deviation)),
        has(comparison, Source::assumed, true)
            ? fmt::format(", {} % with fewer than four sizes nearby",
                          percent_number(comparison.options.launch_deviation.value_or(
                              unknown_launch_deviation)))
            : "");
  }
  if (has(comparison, Source::assumed, false) || has(comparison, Source::neighbours, false)) {
    text += fmt::format(
        "by none: one number on a side is a point ratio and no verdict; needed are {} "
        "samples (--samples) or an interval on both sides, or repeats (three on each side "
        "tell much)\n",
        least_samples);
  }
  return text;
}

std::string footer(const Comparison& comparison) {
  std::string text = "ratio: time of B / time of A with its 95 % interval; above 1 B is slower\n";
  if (comparison.family > 0) {
    text += fmt::format(
        "regression and improvement: beyond the margin of {} % at {:g} % for all {} cases at once "
        "(Bonferroni); same: the 95 % interval lies within the margin\n",
        percent_number(comparison.options.margin),
        100 * comparison.options.confidence,
        comparison.family);
  }
  text += basis_notes(comparison);
  const ConfigurationCheck& check = comparison.configuration;
  text += check.allowed.empty() ? "" : "unequal, as allowed: " + joined(check.allowed) + "\n";
  text += check.unknown.empty()
              ? ""
              : "not known on both sides, so not checked: " + joined(check.unknown) + "\n";
  text += left_over(comparison.only_in_a, "A") + left_over(comparison.only_in_b, "B");
  for (const std::string& note : comparison.notes) {
    text += "note: " + note + "\n";
  }
  return text;
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  return fmt::format("A: {}\nB: {}\n\n", comparison.a, comparison.b) + tables_text(comparison) +
         reasons_text(comparison) + counts_text(comparison) + footer(comparison);
}

}  // namespace viaduct
