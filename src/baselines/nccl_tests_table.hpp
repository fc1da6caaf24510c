#pragma once
// The table of nccl-tests and rccl-tests text: columns by their names, whatever version wrote them,
// and rows by the columns.

#include "baselines/baseline.hpp"
#include "baselines/operation_name.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

enum class TableColumn {
  size,
  count,
  type,
  redop,
  root,
  group,
  time,
  algbw,
  busbw,
  wrong,      ///< elements
  delta,      ///< largest difference, up to nccl-tests 2.11 (columns `error` and `res`)
  timestamp,  ///< two words
  other,      ///< one word that is not read, such as i_min of -I
};

struct TableHead {
  std::vector<TableColumn> keys;    ///< before the first time
  std::vector<TableColumn> values;  ///< from the first time on
  std::size_t value_words = 0;      ///< words of a row that `values` takes
  bool times_are_ms = false;        ///< nccl-tests 1.0
};

/// Empty: the line is not the head of a table.
std::optional<TableHead> table_head(std::string_view line);

KeyColumns key_columns(const TableHead& head);

/// Empty: not a whole row of this table. An in-place half that the head has not is empty.
std::optional<BaselineRow> table_row(const TableHead& head, std::string_view line);

/// Whether the line begins as a row does: two whole numbers and a word.
bool begins_as_row(std::string_view line);

/// Whether it has as many words as a row and nearly all begin as numbers do: a row with a value
/// that is none, or with columns in another order.
bool resembles_row(const TableHead& head, std::string_view line);

/// Why table_row does not take the line: the column, its value and the right form, or that words
/// are missing.
std::string row_fault(const TableHead& head, std::string_view line);

}  // namespace viaduct
