#pragma once
// A strict reader of the tables that nccl-tests 2.13 to 2.19 prints, for tests: it knows columns by
// their header, and throws at anything that is not in that form.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace viaduct::test {

struct TableCells {
  std::optional<double> time_us;
  std::optional<double> algbw_gbs;
  std::optional<double> busbw_gbs;
  std::optional<double> wrong;
};

struct TableRow {
  std::uint64_t size = 0;
  std::uint64_t count = 0;
  std::string type;
  std::string redop;
  int root = 0;
  TableCells out_of_place;
  TableCells in_place;
};

struct NcclTestsTable {
  std::string program;  ///< "all_reduce_perf"
  std::size_t devices = 0;
  std::vector<TableRow> rows;
  std::string out_of_bounds;  ///< "0 OK"
  std::optional<double> average;
  bool is_concluded = false;
};

inline std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) {
    words.push_back(word);
  }
  return words;
}

inline std::optional<double> number_or_none(const std::string& word) {
  if (word == "N/A") {
    return std::nullopt;
  }
  std::size_t used = 0;
  const double value = std::stod(word, &used);
  if (used != word.size() || word.find_first_not_of("0123456789.") != std::string::npos) {
    throw std::runtime_error("not a plain number: " + word);
  }
  return value;
}

inline TableRow table_row(const std::string& line) {
  const std::vector<std::string> w = words_of(line);
  if (w.size() != 13) {
    throw std::runtime_error("not 13 columns: " + line);
  }
  const auto cells = [&w](std::size_t at) {
    return TableCells{number_or_none(w[at]),
                      number_or_none(w[at + 1]),
                      number_or_none(w[at + 2]),
                      number_or_none(w[at + 3])};
  };
  return {std::stoull(w[0]), std::stoull(w[1]), w[2], w[3], std::stoi(w[4]), cells(5), cells(9)};
}

/// Takes one line; `columns_seen`: the header of the columns has been read.
inline void take_line(const std::string& line,
                      std::vector<NcclTestsTable>& tables,
                      bool& columns_seen) {
  const auto after = [&line](const std::string& key) {
    return line.starts_with(key) ? std::optional(line.substr(key.size())) : std::nullopt;
  };
  if (const auto program = after("# Collective test starting: ")) {
    tables.push_back({*program, 0, {}, "", std::nullopt, false});
    columns_seen = false;
  } else if (after("#  Rank ")) {
    ++tables.at(tables.size() - 1).devices;
  } else if (line.find(" size ") != std::string::npos && line.starts_with("#")) {
    const std::vector<std::string> expected{"#",
                                            "size",
                                            "count",
                                            "type",
                                            "redop",
                                            "root",
                                            "time",
                                            "algbw",
                                            "busbw",
                                            "#wrong",
                                            "time",
                                            "algbw",
                                            "busbw",
                                            "#wrong"};
    columns_seen = words_of(line) == expected;
  } else if (const auto bounds = after("# Out of bounds values : ")) {
    tables.back().out_of_bounds = *bounds;
  } else if (const auto average = after("# Avg bus bandwidth    : ")) {
    tables.back().average = number_or_none(words_of(*average).at(0));
  } else if (const auto concluded = after("# Collective test concluded: ")) {
    tables.back().is_concluded = *concluded == tables.back().program;
  } else if (!line.empty() && line[0] != '#') {
    if (!columns_seen) {
      throw std::runtime_error("a row before the header of the columns: " + line);
    }
    tables.at(tables.size() - 1).rows.push_back(table_row(line));
  }
}

inline std::vector<NcclTestsTable> nccl_tests_tables(const std::string& text) {
  std::vector<NcclTestsTable> tables;
  bool columns_seen = false;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    take_line(line, tables, columns_seen);
  }
  return tables;
}

}  // namespace viaduct::test
