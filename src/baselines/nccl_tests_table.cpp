#include "baselines/nccl_tests_table.hpp"

#include "baselines/cell_text.hpp"
#include "baselines/row_fault.hpp"
#include "baselines/text_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace viaduct {
namespace {

using Words = std::vector<std::string_view>;

struct ColumnName {
  std::string_view name;
  TableColumn column;
};

constexpr ColumnName column_names[] = {
    {"size", TableColumn::size},
    {"bytes", TableColumn::size},
    {"count", TableColumn::count},
    {"N", TableColumn::count},
    {"type", TableColumn::type},
    {"redop", TableColumn::redop},
    {"op", TableColumn::redop},
    {"root", TableColumn::root},
    {"group", TableColumn::group},
    {"time", TableColumn::time},
    {"algbw", TableColumn::algbw},
    {"busbw", TableColumn::busbw},
    {"#wrong", TableColumn::wrong},
    {"wrong", TableColumn::wrong},
    {"error", TableColumn::delta},
    {"res", TableColumn::delta},
    {"timestamp", TableColumn::timestamp},
};

TableColumn column_of(std::string_view name) {
  for (const ColumnName& known : column_names) {
    if (name == known.name) {
      return known.column;
    }
  }
  return TableColumn::other;
}

std::string_view name_of(TableColumn column) {
  for (const ColumnName& known : column_names) {
    if (column == known.column) {
      return known.name;
    }
  }
  return "cell";
}

bool has(const std::vector<TableColumn>& columns, TableColumn column) {
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

/// A row says nothing where an operation has no reduction or no root: which key words it has.
bool is_left_out(TableColumn key, std::string_view word, bool is_last) {
  if (key == TableColumn::redop) {
    return is_last || integer_of(word).has_value();
  }
  return key == TableColumn::root && (is_last || !integer_of(word));
}

bool take_key(TableColumn key, std::string_view word, BaselineRow& row) {
  switch (key) {
    case TableColumn::size:
      row.size_bytes = whole_of(word);
      return row.size_bytes.has_value();
    case TableColumn::count:
      row.count = whole_of(word);
      return row.count.has_value();
    case TableColumn::type:
      row.datatype = std::string(word);
      return !is_number_cell(word);
    case TableColumn::redop:
      row.reduction = word == "none" ? "" : std::string(word);
      return !integer_of(word);
    case TableColumn::root: {
      const std::optional<int> root = integer_of(word);
      row.root = root.value_or(-1) >= 0 ? root : std::nullopt;
      return root.has_value();
    }
    case TableColumn::group:
      row.group = integer_of(word);
      return row.group.has_value();
    default:
      return true;
  }
}

/// The first word of a row that its column cannot take.
struct Misfit {
  TableColumn column = TableColumn::other;
  std::string_view word;  ///< empty: the row has too few or too many words
};

bool take_keys(const std::vector<TableColumn>& keys,
               const Words& words,
               BaselineRow& row,
               Misfit& misfit) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool misses_one = keys.size() - i > words.size() - at;
    const bool is_last = at == words.size();
    if (misses_one && is_left_out(keys[i], is_last ? "" : words[at], is_last)) {
      continue;
    }
    if (is_last || !take_key(keys[i], words[at], row)) {
      misfit = {keys[i], is_last ? "" : words[at]};
      return false;
    }
    ++at;
  }
  return at == words.size();
}

/// `#wrong` may be a word of its own in rccl-tests; it is then not known.
bool take_value(TableColumn column, std::string_view word, bool times_are_ms, BaselineTimes& cell) {
  constexpr double us_per_ms = 1000;
  switch (column) {
    case TableColumn::time:
      cell.time_us = number_of(word);
      if (cell.time_us && times_are_ms) {
        *cell.time_us *= us_per_ms;
      }
      break;
    case TableColumn::algbw:
      cell.algbw_gbs = number_of(word);
      break;
    case TableColumn::busbw:
      cell.busbw_gbs = number_of(word);
      break;
    case TableColumn::wrong:
      cell.wrong = elements_of(word);
      break;
    case TableColumn::delta:
      cell.largest_delta = number_of(word);
      // No difference at all is no wrong element; a small one may be rounding or not.
      if (cell.largest_delta == 0.0) {
        cell.wrong = 0;
      }
      break;
    default:
      break;
  }
  const bool is_measured =
      column == TableColumn::time || column == TableColumn::algbw || column == TableColumn::busbw;
  return is_number_cell(word) && !(is_measured && number_of(word).value_or(0) < 0);
}

bool take_values(const TableHead& head, const Words& words, BaselineRow& row, Misfit& misfit) {
  std::size_t at = 0;
  for (const TableColumn column : head.values) {
    if (column == TableColumn::timestamp) {
      at += 2;
      continue;
    }
    if (column == TableColumn::time) {
      (row.out_of_place ? row.in_place : row.out_of_place).emplace();
    }
    BaselineTimes& cell = row.in_place ? *row.in_place : *row.out_of_place;
    if (!take_value(column, words[at], head.times_are_ms, cell)) {
      misfit = {column, words[at]};
      return false;
    }
    ++at;
  }
  return true;
}

/// A number, N/A, or what may have been one: "7,49", "8x".
bool begins_as_number(std::string_view word) {
  const std::size_t at = word.starts_with('-') || word.starts_with('+') ? 1 : 0;
  return is_number_cell(word) || (at < word.size() && is_digit(word[at]));
}

bool is_empty(const BaselineTimes& cell) {
  return !cell.time_us && !cell.algbw_gbs && !cell.busbw_gbs;
}

/// The words of a row; one that is commented out (nccl-tests 1.0 did that) counts as well.
Words row_words(std::string_view line) {
  Words words = words_of(line);
  if (!words.empty() && words[0] == "#") {
    words.erase(words.begin());
  }
  return words;
}

/// Of the words of a row, however many the line has.
std::optional<BaselineRow> row_of(const TableHead& head, const Words& words, Misfit& misfit) {
  if (words.size() < head.value_words) {
    return std::nullopt;
  }
  const auto split = words.begin() + static_cast<std::ptrdiff_t>(words.size() - head.value_words);
  BaselineRow row;
  if (!take_keys(head.keys, Words(words.begin(), split), row, misfit) ||
      !take_values(head, Words(split, words.end()), row, misfit)) {
    return std::nullopt;
  }
  return row;
}

}  // namespace

std::optional<TableHead> table_head(std::string_view line) {
  if (line.find("busbw") == std::string_view::npos ||
      line.find("NCCL ") != std::string_view::npos) {
    return std::nullopt;
  }
  TableHead head;
  const Words words = row_words(line);
  for (const std::string_view word : words) {
    const TableColumn column = column_of(word);
    const bool is_value = !head.values.empty() || column == TableColumn::time;
    (is_value ? head.values : head.keys).push_back(column);
    if (is_value) {
      head.value_words += column == TableColumn::timestamp ? 2U : 1U;
    }
    head.times_are_ms = head.times_are_ms || word == "res";
  }
  const bool is_whole = has(head.keys, TableColumn::size) && has(head.keys, TableColumn::type) &&
                        has(head.values, TableColumn::algbw) &&
                        has(head.values, TableColumn::busbw) &&
                        std::count(head.values.begin(), head.values.end(), TableColumn::time) <= 2;
  return is_whole && !head.values.empty() ? std::optional(head) : std::nullopt;
}

KeyColumns key_columns(const TableHead& head) {
  KeyColumns columns;
  columns.has_reduction = has(head.keys, TableColumn::redop);
  columns.has_root = has(head.keys, TableColumn::root);
  columns.are_uniform = !has(head.values, TableColumn::delta);
  return columns;
}

std::optional<BaselineRow> table_row(const TableHead& head, std::string_view line) {
  // Most lines of a log end here: no words are made for them.
  const std::string_view text = trimmed(line);
  const std::string_view last = text.substr(text.find_last_of(" \t") + 1);
  if (head.values.back() != TableColumn::timestamp && !is_number_cell(last)) {
    return std::nullopt;
  }
  Misfit misfit;
  std::optional<BaselineRow> row = row_of(head, row_words(text), misfit);
  if (!row) {
    return std::nullopt;
  }
  row->datatype = datatype_of(row->datatype);
  for (auto* cell : {&row->out_of_place, &row->in_place}) {
    if (*cell && is_empty(**cell)) {
      cell->reset();
    }
  }
  return row;
}

bool begins_as_row(std::string_view line) {
  // Most lines of a log end here: no words are made for them.
  const std::string_view text = trimmed(line);
  if (text.empty() || !(is_digit(text[0]) || text[0] == '#')) {
    return false;
  }
  Words words = words_of(text, 4);
  if (!words.empty() && words[0] == "#") {
    words.erase(words.begin());
  }
  return words.size() >= 3 && whole_of(words[0]) && whole_of(words[1]) && !is_digit(words[2][0]);
}

bool resembles_row(const TableHead& head, std::string_view line) {
  constexpr std::size_t most_words = 3;  // type, reduction and one that is spoilt
  // Most lines of a log end here: no words are made for them.
  const std::string_view text = trimmed(line);
  if (text.empty() || !begins_as_number(text.substr(text.find_last_of(" \t") + 1))) {
    return false;
  }
  const Words words = row_words(text);
  const auto numbers =
      static_cast<std::size_t>(std::count_if(words.begin(), words.end(), begins_as_number));
  return words.size() >= head.value_words + 2 &&
         words.size() <= head.value_words + head.keys.size() &&
         numbers + most_words >= words.size();
}

std::string row_fault(const TableHead& head, std::string_view line) {
  const Words words = row_words(trimmed(line));
  Misfit misfit;
  if (row_of(head, words, misfit)) {
    return "";
  }
  const CellForm form = misfit.column == TableColumn::size || misfit.column == TableColumn::count
                            ? CellForm::whole
                            : CellForm::measured;
  const std::string fault =
      misfit.word.empty() ? "" : cell_fault(name_of(misfit.column), misfit.word, form);
  if (!fault.empty()) {
    return fault;
  }
  return misfit.word.empty()
             ? fmt::format("it is not whole: {} words, a row of this table has {}",
                           words.size(),
                           head.keys.size() + head.value_words)
             : fmt::format("{} '{}' is none", name_of(misfit.column), misfit.word.substr(0, 40));
}

}  // namespace viaduct
