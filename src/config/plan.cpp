#include "config/plan.hpp"

#include "config/limits.hpp"
#include "config/plan_cases.hpp"
#include "config/plan_pairs.hpp"
#include "config/value_words.hpp"
#include "core/error.hpp"
#include "core/group_map.hpp"
#include "paths/json_place.hpp"
#include "paths/presets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

namespace viaduct {

namespace {

const std::vector<std::string>& plan_keys() {
  static const std::vector<std::string> keys{"name",
                                             "summary",
                                             "engine",
                                             "paths",
                                             "path_definitions",
                                             "method",
                                             "lanes",
                                             "group",
                                             "pair",
                                             "pairs",
                                             "window",
                                             "reopen",
                                             "time_s",
                                             "iterations",
                                             "warmup_iterations",
                                             "graph_replays",
                                             "check",
                                             "buffers",
                                             "offset",
                                             "traffic",
                                             "slots",
                                             "seed",
                                             "samples",
                                             "probe",
                                             "require_path",
                                             "gates",
                                             "expect_ranks",
                                             "expect_gpus_per_node",
                                             "allow_single",
                                             "bind",
                                             "deadline_s",
                                             "engines",
                                             "cases"};
  return keys;
}

/// Calls `use` with the value of the key, when there is one.
template <typename Use>
void with(const JsonPlace& place, const char* key, const Use& use) {
  if (const auto found = place.find(key)) {
    use(*found);
  }
}

/// "plans/mine.json" -> "mine".
std::string stem(const std::string& origin) {
  const std::size_t slash = origin.rfind('/');
  const std::string file = slash == std::string::npos ? origin : origin.substr(slash + 1);
  const std::size_t dot = file.rfind('.');
  return dot == std::string::npos || dot == 0 ? file : file.substr(0, dot);
}

std::string read_name(const JsonPlace& place) {
  std::string name = place.text();
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
  };
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_plain)) {
    place.fail(
        fmt::format("'{}' is not a name of a plan; write letters, digits, '-' or '_'", name));
  }
  return name;
}

void read_path_definitions(const JsonPlace& place, RunConfig& config) {
  for (PathSpec& path : read_path_list(place)) {
    read_at(place, [&] {
      add_own_path(config, std::move(path));
      return true;
    });
  }
}

/// A name, a file beside the plan, or the gates themselves; layer gates reads them.
GateSource read_gate_source(const JsonPlace& place) {
  if (!place.is_text()) {
    return {"", place.json_text(), place.origin(), place.pointer()};
  }
  const std::string word = place.text();
  if (word.empty()) {
    place.fail("must be a file of gates, a name of `viaduct list gates`, or a list of gates");
  }
  const std::size_t slash = place.origin().rfind('/');
  const bool is_beside =
      word.ends_with(".json") && word.front() != '/' && slash != std::string::npos;
  return {is_beside ? place.origin().substr(0, slash + 1) + word : word, "", "", ""};
}

/// One word or a list of them.
std::vector<Traffic> read_traffics(const JsonPlace& place) {
  std::vector<Traffic> traffics;
  for (const JsonPlace& entry : one_or_more(place)) {
    const std::string word = entry.text();
    traffics.push_back(read_at(entry, [&word] { return traffic_of_word(word); }));
    if (std::count(traffics.begin(), traffics.end(), traffics.back()) > 1) {
      entry.fail("'" + word + "' stands twice in the list");
    }
  }
  return traffics;
}

void read_choices(const JsonPlace& top, RunConfig& config) {
  with(top, "name", [&](const JsonPlace& at) { config.plan_name = read_name(at); });
  with(top, "summary", [](const JsonPlace& at) { static_cast<void>(at.text()); });
  with(top, "engine", [&](const JsonPlace& at) {
    config.engine = read_at(at, [&] { return parse_engine_choice(at.text()); });
  });
  with(top, "method", [&](const JsonPlace& at) {
    config.method = read_at(at, [&] { return parse_method(at.text()); });
  });
  with(top, "lanes", [&](const JsonPlace& at) {
    config.lanes = read_at(at, [&] { return parse_lanes_choice(at.text()); });
  });
  with(top, "group", [&](const JsonPlace& at) {
    const std::string word = at.word_or_number("all, host, rail or a number of ranks");
    config.group = read_at(at, [&] { return parse_group_kind(word); });
  });
  with(top, "buffers", [&](const JsonPlace& at) {
    config.buffers = read_at(at, [&] { return parse_buffer_kind(at.text()); });
  });
  with(top, "offset", [&](const JsonPlace& at) {
    config.offset_bytes = read_size(at);
    read_at(at, [&] {
      expect_offset(config.offset_bytes);
      return true;
    });
  });
  with(top, "traffic", [&](const JsonPlace& at) { config.traffics = read_traffics(at); });
  with(top, "bind", [&](const JsonPlace& at) {
    config.bind = at.word({"gpu", "launcher", "none"});
  });
  with(top, "samples", [&](const JsonPlace& at) { config.keep_samples = at.flag(); });
  with(top, "probe", [&](const JsonPlace& at) { config.probes_algorithms = at.flag(); });
  with(top, "gates", [&](const JsonPlace& at) { config.gates = read_gate_source(at); });
  with(top, "require_path", [&](const JsonPlace& at) { config.requires_path = at.flag(); });
  with(top, "allow_single", [&](const JsonPlace& at) { config.allow_single = at.flag(); });
}

void read_numbers(const JsonPlace& top, RunConfig& config) {
  with(top, "reopen", [&](const JsonPlace& at) {
    config.reopen = static_cast<int>(at.whole_number(1, limits::reopen));
  });
  with(top, "time_s", [&](const JsonPlace& at) { config.cap_s = at.number_above(0); });
  with(top, "deadline_s", [&](const JsonPlace& at) { config.deadline_s = at.number_above(0); });
  with(top, "iterations", [&](const JsonPlace& at) {
    config.fixed_operations = at.whole_number(1, limits::count);
  });
  with(top, "warmup_iterations", [&](const JsonPlace& at) {
    config.warmup_operations = at.whole_number(0, limits::count);
  });
  with(top, "graph_replays", [&](const JsonPlace& at) {
    config.graph_replays = at.whole_number(1, limits::count);
  });
  with(top, "check", [&](const JsonPlace& at) {
    config.checked_batches = at.whole_number(0, limits::count);
  });
  with(
      top, "slots", [&](const JsonPlace& at) { config.slots = at.whole_number(1, limits::count); });
  with(top, "seed", [&](const JsonPlace& at) {
    config.seed = at.whole_number(0, std::numeric_limits<std::uint64_t>::max());
  });
  with(top, "expect_ranks", [&](const JsonPlace& at) {
    config.expect_ranks = static_cast<int>(at.whole_number(1, limits::ranks));
  });
  with(top, "expect_gpus_per_node", [&](const JsonPlace& at) {
    config.expect_gpus_per_node = static_cast<int>(at.whole_number(1, limits::ranks));
  });
}

EngineSection read_section(const JsonPlace& place, Engine engine, const std::vector<int>& roots) {
  place.expect_object({"paths", "time_s", "cases"});
  EngineSection section;
  section.engine = engine;
  with(place, "paths", [&](const JsonPlace& at) { section.path_names = at.texts(); });
  with(place, "time_s", [&](const JsonPlace& at) { section.cap_s = at.number_above(0); });
  with(place, "cases", [&](const JsonPlace& at) { section.blocks = read_case_blocks(at, roots); });
  return section;
}

/// A section's paths hold for its engine only; those at the top would hide them.
void expect_paths_once(const JsonPlace& place,
                       const EngineSection& section,
                       const RunConfig& config) {
  if (!config.path_names.empty() && !section.path_names.empty()) {
    place.at("paths").fail("paths also stand at the top of the plan; keep one of the two");
  }
}

void read_sections(const JsonPlace& place, const std::vector<int>& roots, RunConfig& config) {
  place.expect_object({"nccl", "mpi", "copy"});
  for (const Engine engine : all_engines) {
    with(place, name(engine), [&](const JsonPlace& at) {
      config.engine_sections.push_back(read_section(at, engine, roots));
      expect_paths_once(at, config.engine_sections.back(), config);
    });
  }
}

void expect_cases(const JsonPlace& top, const RunConfig& config) {
  for (const Engine engine : all_engines) {
    const bool is_asked_for = config.engine == EngineChoice::auto_
                                  ? engine != Engine::copy
                                  : config.engine == choice_of(engine);
    if (!is_asked_for) {
      continue;
    }
    if (for_engine(config, engine).blocks.empty()) {
      top.fail(fmt::format(
          "no case for engine {}; a plan needs the key 'cases' with at least one object "
          "{{\"operations\": [\"all_reduce\"], \"sizes\": [\"8\", \"1M\"]}}",
          name(engine)));
    }
  }
}

}  // namespace

RunConfig parse_plan(std::string_view json_text, const std::string& origin) {
  const nlohmann::json document = parse_json(json_text, origin);
  const JsonPlace top(document, origin);
  top.expect_object(plan_keys());
  RunConfig config;
  config.plan_name = stem(origin);
  read_choices(top, config);
  read_numbers(top, config);
  read_pair_keys(top, config);
  // Of every two ranks each direction, unless a block says otherwise.
  const std::vector<int> roots = config.pairs ? std::vector<int>{} : std::vector<int>{0};
  with(top, "path_definitions", [&](const JsonPlace& at) { read_path_definitions(at, config); });
  with(top, "paths", [&](const JsonPlace& at) { config.path_names = at.texts(); });
  with(top, "cases", [&](const JsonPlace& at) { config.blocks = read_case_blocks(at, roots); });
  with(top, "engines", [&](const JsonPlace& at) { read_sections(at, roots, config); });
  expect_cases(top, config);
  return config;
}

}  // namespace viaduct
