#include "gates/read_gates.hpp"

#include "core/size_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace viaduct {

namespace {

template <typename Value, typename Parse>
void read_words(const JsonPlace& place, const char* key, std::vector<Value>& to, Parse parse) {
  if (const auto list = place.find(key)) {
    for (const JsonPlace& entry : list->elements()) {
      to.push_back(read_at(entry, [&] { return parse(entry.text()); }));
    }
  }
}

std::optional<std::uint64_t> read_size(const JsonPlace& place, const char* key) {
  const auto found = place.find(key);
  if (!found) {
    return std::nullopt;
  }
  return read_at(*found, [&found] { return parse_size(found->text(), "size"); });
}

void read_sizes(const JsonPlace& place, GateFilter& where) {
  const auto sizes = place.find("sizes");
  if (!sizes) {
    return;
  }
  sizes->expect_object({"from", "to"});
  where.least_bytes = read_size(*sizes, "from");
  where.most_bytes = read_size(*sizes, "to");
  if (!where.least_bytes && !where.most_bytes) {
    sizes->fail("needs 'from', 'to' or both, as in {\"from\": \"1M\", \"to\": \"1G\"}");
  }
  if (where.least_bytes.value_or(0) > where.most_bytes.value_or(~std::uint64_t{0})) {
    sizes->fail(fmt::format("'from' {} is above 'to' {}",
                            format_size(*where.least_bytes),
                            format_size(*where.most_bytes)));
  }
}

GateFilter read_filter(const JsonPlace& gate) {
  GateFilter where;
  const auto place = gate.find("where");
  if (!place) {
    return where;
  }
  place->expect_object(
      {"operations", "sizes", "paths", "modes", "datatypes", "reductions", "placements"});
  const auto as_it_is = [](const std::string& word) { return word; };
  read_words(*place, "operations", where.operations, as_it_is);
  read_words(*place, "paths", where.paths, as_it_is);
  read_words(*place, "modes", where.modes, parse_mode);
  read_words(*place, "datatypes", where.datatypes, parse_datatype);
  read_words(*place, "reductions", where.reductions, parse_reduce_op);
  read_words(*place, "placements", where.placements, parse_placement);
  read_sizes(*place, where);
  return where;
}

GateKind read_kind(const JsonPlace& gate) {
  constexpr GateKind kinds[] = {GateKind::absolute,
                                GateKind::limit,
                                GateKind::baseline,
                                GateKind::ratio,
                                GateKind::wrong,
                                GateKind::evidence};
  std::vector<std::string> words;
  for (const GateKind kind : kinds) {
    words.emplace_back(name(kind));
  }
  const std::string word = gate.at("kind").word(words);
  return kinds[std::find(words.begin(), words.end(), word) - words.begin()];
}

/// The keys of every gate, and those of its kind.
std::vector<std::string> keys_of(GateKind kind) {
  std::vector<std::string> keys{"name", "kind", "where", "allow", "strict"};
  const auto add = [&keys](std::initializer_list<const char*> more) {
    keys.insert(keys.end(), more.begin(), more.end());
  };
  switch (kind) {
    case GateKind::absolute:
      add({"metric", "at_least", "at_most", "without_interval"});
      break;
    case GateKind::limit:
      add({"at_least", "at_most", "without_interval"});
      break;
    case GateKind::baseline:
      add({"baseline", "baseline_path", "metric", "at_least", "at_most", "without_interval"});
      break;
    case GateKind::ratio:
      add({"reference", "at_least", "at_most", "without_interval"});
      break;
    case GateKind::wrong:
      break;
    case GateKind::evidence:
      add({"state"});
      break;
  }
  return keys;
}

void read_bounds(const JsonPlace& place, Gate& gate) {
  const auto bound = [&place](const char* key) {
    const auto found = place.find(key);
    return found ? std::optional<double>(found->number_above(0)) : std::nullopt;
  };
  gate.at_least = bound("at_least");
  gate.at_most = bound("at_most");
  if (!gate.at_least && !gate.at_most) {
    place.fail("needs 'at_least', 'at_most' or both");
  }
  if (gate.at_least && gate.at_most && *gate.at_least > *gate.at_most) {
    place.fail(fmt::format("'at_least' {} is above 'at_most' {}", *gate.at_least, *gate.at_most));
  }
  if (const auto without = place.find("without_interval")) {
    gate.judges_medians = without->word({"unclear", "median"}) == "median";
  }
}

Metric read_metric(const JsonPlace& place) {
  for (const Metric metric : {Metric::time_us, Metric::algbw_gbs, Metric::busbw_gbs}) {
    if (place.word({"time_us", "algbw_gbs", "busbw_gbs"}) == name(metric)) {
      return metric;
    }
  }
  return Metric::busbw_gbs;
}

/// Beside the file of gates that names it.
std::string baseline_file(const JsonPlace& place) {
  const std::string word = place.text();
  if (word.empty()) {
    place.fail("must name a result file (.jsonl)");
  }
  const std::filesystem::path folder = std::filesystem::path(place.origin()).parent_path();
  return (folder / word).string();
}

void read_own_keys(const JsonPlace& place, Gate& gate) {
  if (gate.kind != GateKind::wrong && gate.kind != GateKind::evidence) {
    read_bounds(place, gate);
  }
  if (gate.kind == GateKind::absolute || gate.kind == GateKind::baseline) {
    gate.metric = read_metric(place.at("metric"));
  }
  if (gate.kind == GateKind::baseline) {
    gate.baseline = baseline_file(place.at("baseline"));
    if (const auto path = place.find("baseline_path")) {
      gate.baseline_path = path->text();
    }
  }
  if (gate.kind == GateKind::ratio) {
    gate.reference = place.at("reference").text();
  }
  if (gate.kind == GateKind::evidence) {
    gate.must_be_proven = place.at("state").word({"proven", "not-contradicted"}) == "proven";
  }
}

void read_allowed(const JsonPlace& place, Gate& gate) {
  const auto list = place.find("allow");
  if (!list) {
    return;
  }
  for (const JsonPlace& entry : list->elements()) {
    std::vector<std::string> words{"skipped", "lost"};
    if (gate.kind == GateKind::wrong) {
      words.emplace_back("unchecked");
    }
    const std::string word = entry.word(words);
    gate.allows_skipped = gate.allows_skipped || word == "skipped";
    gate.allows_lost = gate.allows_lost || word == "lost";
    gate.allows_unchecked = gate.allows_unchecked || word == "unchecked";
  }
}

Gate read_gate(const JsonPlace& place, bool strict) {
  if (!place.is_object()) {
    place.expect_object({"name", "kind", "where", "allow", "strict"});
  }
  Gate gate;
  gate.kind = read_kind(place);
  place.expect_object(keys_of(gate.kind));
  gate.name = place.at("name").text();
  if (gate.name.empty()) {
    place.at("name").fail("must not be empty: a verdict names its gate");
  }
  gate.strict = strict;
  if (const auto own = place.find("strict")) {
    gate.strict = own->flag();
  }
  gate.where = read_filter(place);
  read_own_keys(place, gate);
  read_allowed(place, gate);
  return gate;
}

void read_list(const JsonPlace& list, GateSet& set) {
  std::set<std::string> names;
  for (const JsonPlace& place : list.elements()) {
    set.gates.push_back(read_gate(place, set.strict));
    if (!names.insert(set.gates.back().name).second) {
      place.at("name").fail(
          fmt::format("a second gate named '{}'; give each its own name", set.gates.back().name));
    }
  }
}

}  // namespace

GateSet read_gates(const JsonPlace& place) {
  GateSet set;
  set.name = std::filesystem::path(place.origin()).stem().string();
  if (!place.is_object()) {
    read_list(place, set);
    return set;
  }
  place.expect_object({"name", "summary", "strict", "allow_partial", "gates"});
  if (const auto own = place.find("name")) {
    set.name = own->text();
  }
  if (const auto summary = place.find("summary")) {
    static_cast<void>(summary->text());
  }
  if (const auto strict = place.find("strict")) {
    set.strict = strict->flag();
  }
  if (const auto partial = place.find("allow_partial")) {
    set.allows_partial = partial->flag();
  }
  read_list(place.at("gates"), set);
  return set;
}

GateSet parse_gates(std::string_view json_text, const std::string& origin) {
  const nlohmann::json document = parse_json(json_text, origin);
  return read_gates(JsonPlace(document, origin));
}

}  // namespace viaduct
