#include "core/size_text.hpp"
#include "report/html_parts.hpp"
#include "report/table_title.hpp"
#include "stats/summary.hpp"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <set>

namespace viaduct {

namespace {

/// One size on one path of a table of pairs.
struct Matrix {
  std::string path;
  std::uint64_t size_bytes = 0;
  std::string group;
  std::vector<int> ranks;  ///< rising
  std::vector<const Measurement*> pairs;
};

/// In the order in which their first record came.
std::vector<Matrix> matrices_of(const CaseTable& table, const std::vector<std::string>& paths) {
  std::map<std::tuple<std::size_t, std::uint64_t, int>, std::size_t> places;
  std::vector<Matrix> all;
  for (const CaseRow& row : table.rows) {
    for (std::size_t path = 0; path < paths.size(); ++path) {
      const Measurement* m = row.by_path[path];
      if (m == nullptr || !m->from || !m->to) {
        continue;
      }
      const int group = row.group ? row.group->index : -1;
      const auto [found, is_new] =
          places.emplace(std::make_tuple(path, row.c.size_bytes, group), all.size());
      if (is_new) {
        all.push_back({paths[path], row.c.size_bytes, row.group ? row.group->name : "", {}, {}});
      }
      all[found->second].pairs.push_back(m);
    }
  }
  for (Matrix& matrix : all) {
    std::set<int> ranks;
    for (const Measurement* m : matrix.pairs) {
      ranks.insert({*m->from, *m->to});
    }
    matrix.ranks.assign(ranks.begin(), ranks.end());
  }
  return all;
}

/// What carries between two ranks of a path, as its evidence says: the class of the pair. Pairs of
/// one class can be compared.
std::map<std::pair<int, int>, std::string> classes_of(const Result& result,
                                                      const std::string& path) {
  std::map<std::pair<int, int>, std::string> classes;
  for (const PathEvidence& evidence : result.evidences) {
    for (const PairPath& pair : evidence.pairs) {
      if (evidence.path == path && !is_group(pair)) {
        classes[{pair.from, pair.to}] = fmt::format("{}", fmt::join(pair.transports, " + "));
      }
    }
  }
  return classes;
}

/// A pair with its class and whether its time stands out above the others of that class.
struct Cell {
  const Measurement* m = nullptr;
  std::size_t place = 0;
  std::string pair_class;
  bool stands_out = false;
};

std::vector<Cell> cells_of(const Matrix& matrix,
                           const std::map<std::pair<int, int>, std::string>& classes) {
  std::map<int, std::size_t> seats;
  for (const int rank : matrix.ranks) {
    seats.emplace(rank, seats.size());
  }
  std::vector<Cell> cells;
  std::map<std::string, std::vector<double>> times;
  for (const Measurement* m : matrix.pairs) {
    const auto found = classes.find({*m->from, *m->to});
    Cell cell{m, seats.at(*m->from) * seats.size() + seats.at(*m->to), "", false};
    cell.pair_class = found == classes.end() ? "" : found->second;
    if (m->time_us) {
      times[cell.pair_class].push_back(m->time_us->median);
    }
    cells.push_back(std::move(cell));
  }
  constexpr std::size_t fewest = 4;  // of fewer there is no telling which is odd
  std::map<std::string, double> limits;
  for (const auto& [pair_class, alike] : times) {
    limits[pair_class] =
        alike.size() < fewest ? std::numeric_limits<double>::infinity() : standout_limit(alike);
  }
  for (Cell& cell : cells) {
    cell.stands_out = cell.m->time_us && cell.m->time_us->median > limits.at(cell.pair_class);
  }
  return cells;
}

void write_values(JsonWriter& json, const std::vector<const Cell*>& by_place, bool of_time) {
  json.key(of_time ? "time" : "busbw");
  json.begin_list();
  for (const Cell* cell : by_place) {
    const Measurement* m = cell == nullptr ? nullptr : cell->m;
    const bool has_time = m != nullptr && m->time_us;
    if (of_time && has_time) {
      json.short_number(m->time_us->median);
    } else if (!of_time && has_time && m->busbw_gbs) {
      json.short_number(*m->busbw_gbs);
    } else {
      json.null();
    }
  }
  json.end();
}

void write_marks(JsonWriter& json, const std::vector<Cell>& cells) {
  json.key("marks");
  json.begin_list();
  for (const Cell& cell : cells) {
    const bool has_fault = cell.m->status != Status::ok;
    if (has_fault || cell.stands_out) {
      json.begin_object();
      json.whole_at("place", cell.place);
      json.text_at("text",
                   has_fault ? fmt::format("{}: {}", name(cell.m->status), cell.m->reason)
                             : "slower than the other pairs of its class");
      json.end();
    }
  }
  json.end();
}

void write_classes(JsonWriter& json, const std::vector<const Cell*>& by_place) {
  std::map<std::string, std::size_t> numbers;
  std::vector<std::string> names;
  for (const Cell* cell : by_place) {
    if (cell != nullptr && numbers.emplace(cell->pair_class, names.size()).second) {
      names.push_back(cell->pair_class);
    }
  }
  json.texts_at("classes", names);
  json.key("class");
  json.begin_list();
  for (const Cell* cell : by_place) {
    if (cell == nullptr) {
      json.null();
    } else {
      json.whole(numbers.at(cell->pair_class));
    }
  }
  json.end();
}

void write_matrix(JsonWriter& json,
                  const Result& result,
                  const CaseTable& table,
                  const Matrix& matrix) {
  const std::vector<Cell> cells = cells_of(matrix, classes_of(result, matrix.path));
  std::vector<const Cell*> by_place(matrix.ranks.size() * matrix.ranks.size(), nullptr);
  for (const Cell& cell : cells) {
    by_place[cell.place] = &cell;
  }
  json.begin_object();
  json.text_at("title", table_title(table));
  json.text_at("path", matrix.path);
  json.text_at("size", format_size(matrix.size_bytes));
  json.text_at("group", matrix.group);
  json.text_at("unit", table.first.engine == Engine::copy ? "GPU" : "rank");
  json.key("ranks");
  json.begin_list();
  for (const int rank : matrix.ranks) {
    json.whole(rank);
  }
  json.end();
  write_values(json, by_place, false);
  write_values(json, by_place, true);
  write_classes(json, by_place);
  write_marks(json, cells);
  json.end();
}

}  // namespace

void write_matrices(JsonWriter& json,
                    const Result& result,
                    const std::vector<CaseTable>& tables,
                    const std::vector<std::string>& paths,
                    const HtmlLimits& limits) {
  std::size_t cells = 0;
  std::size_t left_out = 0;
  json.key("matrices");
  json.begin_list();
  for (const CaseTable& table : tables) {
    for (const Matrix& matrix : matrices_of(table, paths)) {
      const std::size_t own = matrix.ranks.size() * matrix.ranks.size();
      if (cells + own > limits.matrix_cells) {
        ++left_out;
        continue;
      }
      cells += own;
      write_matrix(json, result, table, matrix);
    }
  }
  json.end();
  json.whole_at("matrices_left_out", left_out);
}

}  // namespace viaduct
