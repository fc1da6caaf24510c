// JSON lines and CSV of rccl-tests (-Z json, -Z csv): one placement of one size on each line.

#include "baselines/cell_text.hpp"
#include "baselines/judge_run.hpp"
#include "baselines/operation_name.hpp"
#include "baselines/reader.hpp"
#include "baselines/row_fault.hpp"
#include "baselines/text_lines.hpp"
#include "baselines/tolerant_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace viaduct::baselines {
namespace {

using Json = nlohmann::json;

/// The fields of one line by their names in lower case, without '#'.
using Fields = std::map<std::string, std::string, std::less<>>;

std::string lowered(std::string_view name) {
  std::string text(trimmed(name));
  if (text.starts_with('#')) {
    text.erase(0, 1);
  }
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

std::vector<std::string_view> comma_cells(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t comma = line.find(',');
    cells.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) {
      return cells;
    }
    line.remove_prefix(comma + 1);
  }
}

std::string_view field(const Fields& fields, std::string_view name) {
  const auto found = fields.find(name);
  return found == fields.end() ? std::string_view() : std::string_view(found->second);
}

/// The first value that cannot be read; empty: every one can.
std::string fault_of(const Fields& fields) {
  std::string fault = cell_fault("size", field(fields, "size"), CellForm::whole);
  for (const char* column : {"count", "time", "algbw", "busbw"}) {
    const std::string_view value = field(fields, column);
    const bool is_whole = std::string_view(column) == "count";
    const bool is_said =
        !value.empty() && !(is_whole && is_number_cell(value) && !number_of(value));
    if (fault.empty() && is_said) {
      fault = cell_fault(column, value, is_whole ? CellForm::whole : CellForm::measured);
    }
  }
  const std::string_view in_place = field(fields, "inplace");
  if (fault.empty() && in_place != "0" && in_place != "1") {
    fault = fmt::format("inPlace '{}' is not 0 or 1", in_place.substr(0, 40));
  }
  return fault;
}

bool is_csv_head(std::string_view text) {
  return text.find("size") != std::string_view::npos &&
         text.find("busbw") != std::string_view::npos &&
         text.find("inPlace") != std::string_view::npos &&
         text.find(',') != std::string_view::npos && text.find('{') == std::string_view::npos;
}

bool is_json_row(std::string_view text) {
  return text.starts_with('{') && text.find("\"inPlace\"") != std::string_view::npos;
}

class RecordReader {
 public:
  Baseline read(std::string_view text) {
    TextLines lines(text);
    TextLine line;
    while (lines.next(line)) {
      take(line);
    }
    finish();
    return std::move(baseline_);
  }

 private:
  void take(const TextLine& line) {
    const std::string_view text = trimmed(line.text);
    if (is_json_row(text)) {
      take_json(line.number, text);
    } else if (is_csv_head(text)) {
      finish();
      columns_.clear();
      for (const std::string_view cell : comma_cells(text)) {
        columns_.push_back(lowered(cell));
      }
    } else if (!columns_.empty() && !text.empty() && is_digit(text[0])) {
      take_csv(line.number, text);
    }
  }

  void take_json(std::size_t number, std::string_view text) {
    const Json object = Json::parse(text.begin(), text.end(), nullptr, false);
    if (!object.is_object()) {
      note_torn(number, "it is no whole JSON object");
      return;
    }
    Fields fields;
    for (const auto& [key, value] : object.items()) {
      fields[lowered(key)] = text_in(&value);
    }
    take_fields(number, fields);
  }

  void take_csv(std::size_t number, std::string_view text) {
    const std::vector<std::string_view> cells = comma_cells(text);
    if (cells.size() != columns_.size()) {
      note_torn(
          number,
          fmt::format("it is not whole: {} cells, the head has {}", cells.size(), columns_.size()));
      return;
    }
    Fields fields;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      fields[columns_[i]] = std::string(cells[i]);
    }
    take_fields(number, fields);
  }

  void take_fields(std::size_t number, const Fields& fields) {
    if (const std::string fault = fault_of(fields); !fault.empty()) {
      note_torn(number, fault);
      return;
    }
    BaselineRow row;
    row.line = number;
    row.operation = operation_of(field(fields, "name"));
    row.size_bytes = whole_of(field(fields, "size"));
    row.count = whole_of(field(fields, "count"));
    row.datatype = datatype_of(field(fields, "type"));
    const std::string_view reduction = field(fields, "redop");
    row.reduction = reduction == "none" ? "" : std::string(reduction);
    row.root = integer_of(field(fields, "root"));
    row.root = row.root.value_or(-1) >= 0 ? row.root : std::nullopt;
    row.ranks = integer_of(field(fields, "ranks"));
    BaselineTimes cell;
    cell.time_us = number_of(field(fields, "time"));
    cell.algbw_gbs = number_of(field(fields, "algbw"));
    cell.busbw_gbs = number_of(field(fields, "busbw"));
    cell.wrong = elements_of(field(fields, "wrong"));
    add(std::move(row), std::move(cell), field(fields, "inplace") == "1");
  }

  /// The line of the other placement of the same case comes right before or after.
  void add(BaselineRow row, BaselineTimes cell, bool is_in_place) {
    if (!run_.rows.empty()) {
      BaselineRow& last = run_.rows.back();
      auto& place = is_in_place ? last.in_place : last.out_of_place;
      const bool is_same = last.operation == row.operation && last.size_bytes == row.size_bytes &&
                           last.datatype == row.datatype && last.reduction == row.reduction &&
                           last.root == row.root && last.ranks == row.ranks;
      if (is_same && !place) {
        place = std::move(cell);
        return;
      }
    }
    (is_in_place ? row.in_place : row.out_of_place) = std::move(cell);
    run_.rows.push_back(std::move(row));
  }

  void note_torn(std::size_t number, const std::string& fault) {
    faults_.add(fmt::format("line {}", number), fault);
  }

  void finish() {
    if (!run_.rows.empty() || faults_.count() > 0) {
      run_.tool = "rccl-tests";
      set_shared();
      RunFacts facts;
      facts.unreadable = faults_.count() > 0 ? faults_.text() : "";
      judge_run(run_, facts);
      baseline_.runs.push_back(std::move(run_));
    }
    run_ = BaselineRun{};
    faults_ = RowFaults{};
  }

  /// What all rows agree on is said of the run.
  void set_shared() {
    if (run_.rows.empty()) {
      return;
    }
    const BaselineRow& first = run_.rows.front();
    const auto all = [this](auto same) {
      return std::all_of(run_.rows.begin(), run_.rows.end(), same);
    };
    run_.line = first.line;
    if (all([&](const BaselineRow& row) { return row.operation == first.operation; })) {
      run_.operation = first.operation;
    }
    if (all([&](const BaselineRow& row) { return row.ranks == first.ranks; })) {
      run_.ranks = first.ranks;
    }
  }

  Baseline baseline_;
  BaselineRun run_;
  std::vector<std::string> columns_;
  RowFaults faults_;
};

bool recognizes(std::string_view text) {
  return any_line_with(text, "inPlace", [](std::string_view line) {
    return is_json_row(line) || is_csv_head(line);
  });
}

Baseline read(std::string_view text) {
  return RecordReader().read(text);
}

}  // namespace

const BaselineReader& rccl_tests_records() {
  static constexpr BaselineReader entry{
      "rccl-tests", "JSON lines and CSV of rccl-tests", &recognizes, &read};
  return entry;
}

}  // namespace viaduct::baselines
