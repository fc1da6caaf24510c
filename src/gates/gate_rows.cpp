#include "gates/gate_rows.hpp"

#include "core/nearest.hpp"
#include "core/size_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace viaduct {

namespace {

template <typename Value>
bool lets_through(const std::vector<Value>& list, const Value& value) {
  return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
}

bool is_about(const Gate& gate, const Measurement& m) {
  const GateFilter& where = gate.where;
  const bool reduction_fits =
      where.reductions.empty() || (m.reduces && lets_through(where.reductions, m.c.reduction));
  return lets_through(where.operations, m.c.operation) && lets_through(where.paths, m.path) &&
         lets_through(where.modes, m.c.mode) && lets_through(where.datatypes, m.c.datatype) &&
         reduction_fits && lets_through(where.placements, m.c.placement) &&
         m.c.size_bytes >= where.least_bytes.value_or(0) &&
         m.c.size_bytes <= where.most_bytes.value_or(~std::uint64_t{0}) &&
         (gate.kind != GateKind::ratio || m.path != gate.reference);
}

/// The first word of the list that none of the rows has.
template <typename Value, typename Of>
const Value* missing(const std::vector<Value>& list,
                     const std::vector<const Measurement*>& rows,
                     Of of) {
  for (const Value& value : list) {
    const bool is_met = std::any_of(
        rows.begin(), rows.end(), [&](const Measurement* m) { return of(*m) == value; });
    if (!is_met) {
      return &value;
    }
  }
  return nullptr;
}

template <typename Of>
std::vector<std::string> all_in(const Result& result, Of of) {
  std::set<std::string> names;
  for (const Measurement& m : result.measurements) {
    names.insert(of(m));
  }
  return {names.begin(), names.end()};
}

std::string size_text(const GateFilter& where) {
  if (!where.least_bytes && !where.most_bytes) {
    return "";
  }
  return fmt::format(" of sizes {} to {}",
                     format_size(where.least_bytes.value_or(0)),
                     where.most_bytes ? format_size(*where.most_bytes) : "any");
}

/// Names of the result near to a word that it does not have.
template <typename Of>
std::string not_there(const GateFilter& where,
                      const char* what,
                      const std::string& word,
                      const Result& result,
                      Of of) {
  const std::vector<std::string> known = all_in(result, of);
  const bool is_there = std::find(known.begin(), known.end(), word) != known.end();
  return is_there || known.empty()
             ? fmt::format("no measurement{} fits {} '{}' and the other filters",
                           size_text(where),
                           what,
                           word)
             : fmt::format("the result has no {}",
                           unknown_name_message(what, word, known).substr(8));
}

template <typename Value>
std::string no_fit(const char* what, const Value* value) {
  return value == nullptr
             ? ""
             : fmt::format("no measurement fits {} '{}' and the other filters", what, name(*value));
}

}  // namespace

std::vector<const Measurement*> rows_of(const Gate& gate, const Result& result) {
  std::vector<const Measurement*> rows;
  for (const Measurement& m : result.measurements) {
    if (is_about(gate, m)) {
      rows.push_back(&m);
    }
  }
  return rows;
}

std::string unmet_word(const Gate& gate,
                       const Result& result,
                       const std::vector<const Measurement*>& rows) {
  const auto operation_of = [](const Measurement& m) { return m.c.operation; };
  const auto path_of = [](const Measurement& m) { return m.path; };
  if (const auto* word = missing(gate.where.operations, rows, operation_of)) {
    return not_there(gate.where, "operation", *word, result, operation_of);
  }
  if (const auto* word = missing(gate.where.paths, rows, path_of)) {
    return not_there(gate.where, "path", *word, result, path_of);
  }
  const std::string others[] = {
      no_fit("mode",
             missing(gate.where.modes, rows, [](const Measurement& m) { return m.c.mode; })),
      no_fit(
          "datatype",
          missing(gate.where.datatypes, rows, [](const Measurement& m) { return m.c.datatype; })),
      no_fit(
          "reduction",
          missing(gate.where.reductions, rows, [](const Measurement& m) { return m.c.reduction; })),
      no_fit("placement", missing(gate.where.placements, rows, [](const Measurement& m) {
               return m.c.placement;
             }))};
  for (const std::string& text : others) {
    if (!text.empty()) {
      return text;
    }
  }
  return rows.empty() ? fmt::format("no measurement{} is there to judge", size_text(gate.where))
                      : "";
}

}  // namespace viaduct
