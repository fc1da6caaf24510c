#include "baselines/row_fault.hpp"

#include "baselines/cell_text.hpp"
#include "baselines/text_lines.hpp"
#include "baselines/tolerant_json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace viaduct {
namespace {

/// One line of at most so many bytes: a torn log may have anything in a cell.
std::string quoted(std::string_view value) {
  constexpr std::size_t most = 40;
  std::string text(value.substr(0, most));
  for (char& c : text) {
    c = static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return "'" + text + (value.size() > most ? "..." : "") + "'";
}

/// "7.49" of "7,49"; empty: no number with a comma.
std::string with_point(std::string_view value) {
  std::string text(value);
  const bool has_one = std::count(text.begin(), text.end(), ',') == 1;
  std::replace(text.begin(), text.end(), ',', '.');
  return has_one && number_of(text) ? text : "";
}

/// N/A, nan, inf: a word for no value.
bool is_no_number_word(std::string_view value) {
  return is_number_cell(value) && !number_of(value);
}

std::string form_text(CellForm form) {
  return form == CellForm::whole ? "a whole number such as 1048576" : "a number such as 12.34";
}

}  // namespace

std::string cell_fault(std::string_view column, std::string_view value, CellForm form) {
  const std::string begin = fmt::format("{} {} ", column, quoted(value));
  const std::optional<double> number = number_of(value);
  if (number && *number < 0) {
    return begin + "is below zero";
  }
  const bool is_right =
      form == CellForm::whole ? whole_of(value).has_value() : is_number_cell(value);
  if (is_right) {
    return "";
  }
  if (const std::string right = with_point(value); !right.empty()) {
    return begin + "has a decimal comma; the right form is " +
           (form == CellForm::whole ? form_text(form) : right);
  }
  const bool is_digits = !value.empty() && std::all_of(value.begin(), value.end(), is_digit);
  return begin + (is_digits || (form == CellForm::whole && number && *number > 1e19)
                      ? std::string("is larger than 64 bits hold")
                      : "is not " + form_text(form));
}

std::string cell_fault(std::string_view column, const nlohmann::json* value, CellForm form) {
  if (value == nullptr || value->is_null()) {
    return "";
  }
  const bool is_text = value->is_string() || value->is_number();
  const std::string text =
      is_text ? text_in(value)
              : value->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  // 8.0 is as whole as 8, and an empty or absent word of some version is no value.
  const bool is_whole = form == CellForm::whole && whole_in(value).has_value();
  if (is_whole || (value->is_string() && (text.empty() || is_no_number_word(text)))) {
    return "";
  }
  return cell_fault(column, text, form);
}

void RowFaults::add(const std::string& place, const std::string& fault) {
  if (count_++ == 0) {
    first_ = place + ": " + fault;
  }
}

std::string RowFaults::text() const {
  return count_ == 1
             ? "1 row cannot be read and is left out: " + first_
             : fmt::format(
                   "{} rows cannot be read and are left out, the first is {}", count_, first_);
}

}  // namespace viaduct
