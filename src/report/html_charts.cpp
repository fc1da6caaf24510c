#include "report/html_parts.hpp"
#include "report/paths_block.hpp"
#include "report/table_summary.hpp"
#include "report/table_title.hpp"

#include <algorithm>

namespace viaduct {

namespace {

bool has_curve(const CaseTable& table) {
  return std::any_of(table.rows.begin(), table.rows.end(), [](const CaseRow& row) {
    const auto has_time = [](const Measurement* m) { return m != nullptr && m->time_us; };
    return !row.from && !row.to && std::any_of(row.by_path.begin(), row.by_path.end(), has_time);
  });
}

void write_ratio(JsonWriter& json, const Verdict* verdict) {
  if (verdict == nullptr) {
    return;
  }
  json.text_at("verdict", verdict->verdict);
  if (verdict->ratio) {
    json.key("ratio");
    json.begin_list();
    json.number(verdict->ratio->median);
    json.number(verdict->ratio->low);
    json.number(verdict->ratio->high);
    json.end();
  }
}

/// One point; the interval of the bandwidth is that of the time, turned round.
void write_point(JsonWriter& json, const Measurement& m, const Verdict* verdict) {
  json.begin_object();
  json.whole_at("size", m.c.size_bytes);
  json.number_at("time", m.time_us->median);
  json.number_at("low", m.time_us->low);
  json.number_at("high", m.time_us->high);
  json.number_at("algbw", m.algbw_gbs);
  json.number_at("busbw", m.busbw_gbs);
  if (m.limit_gbs) {
    json.number_at("limit", m.limit_gbs);
  }
  json.text_at("status", name(m.status));
  if (m.algorithm) {
    json.text_at("algorithm", m.algorithm->algorithm + " " + m.algorithm->protocol);
  }
  if (m.evidence) {
    json.text_at("evidence", name(m.evidence->state));
  }
  write_ratio(json, verdict);
  json.end();
}

void write_summary(JsonWriter& json, const PathSummary& one) {
  json.text_at("fit", one.fit);
  json.text_at("algorithms", one.algorithm);
  json.text_at("sentence", one.sentence);
  if (one.crossover.size_bytes > 0) {
    json.number_at("crossover", one.crossover.size_bytes);
    json.text_at("crossover_text", one.crossover.text);
  }
}

/// The curves of one path: one, or one for each group of ranks.
struct Curve {
  std::string name;
  std::vector<const CaseRow*> rows;
};

std::vector<Curve> curves_of(const CaseTable& table, const std::string& path, std::size_t place) {
  std::vector<Curve> curves;
  for (const CaseRow& row : table.rows) {
    if (row.by_path[place] == nullptr || !row.by_path[place]->time_us || row.from || row.to) {
      continue;
    }
    const std::string name = row.group ? path + ", " + row.group->name : path;
    auto found = std::find_if(
        curves.begin(), curves.end(), [&name](const Curve& one) { return one.name == name; });
    if (found == curves.end()) {
      curves.push_back({name, {}});
      found = curves.end() - 1;
    }
    found->rows.push_back(&row);
  }
  for (Curve& curve : curves) {
    std::stable_sort(curve.rows.begin(), curve.rows.end(), [](const CaseRow* a, const CaseRow* b) {
      return a->c.size_bytes < b->c.size_bytes;
    });
  }
  return curves;
}

void write_chart(JsonWriter& json,
                 const CaseTable& table,
                 const std::vector<std::string>& paths,
                 const Proofs& proofs) {
  const std::vector<PathSummary> summaries = summarize_table(table, paths, proofs);
  json.begin_object();
  json.text_at("title", table_title(table));
  json.text_at("operation", table.first.c.operation);
  json.key("curves");
  json.begin_list();
  for (std::size_t place = 0; place < paths.size(); ++place) {
    for (const Curve& curve : curves_of(table, paths[place], place)) {
      json.begin_object();
      json.text_at("name", curve.name);
      if (place < summaries.size()) {
        write_summary(json, summaries[place]);
      }
      json.key("points");
      json.begin_list();
      for (const CaseRow* row : curve.rows) {
        write_point(json, *row->by_path[place], row->verdicts[place]);
      }
      json.end();
      json.end();
    }
  }
  json.end();
  json.end();
}

}  // namespace

void write_charts(JsonWriter& json,
                  const Result& result,
                  const std::vector<CaseTable>& tables,
                  const std::vector<std::string>& paths,
                  const HtmlLimits& limits) {
  const Proofs proofs = proofs_of(result);
  std::size_t charts = 0;
  json.key("charts");
  json.begin_list();
  for (const CaseTable& table : tables) {
    if (has_curve(table) && ++charts <= limits.charts) {
      write_chart(json, table, paths, proofs);
    }
  }
  json.end();
  json.whole_at("charts_left_out", charts - std::min(charts, limits.charts));
}

}  // namespace viaduct
