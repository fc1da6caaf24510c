#include "config/run_config.hpp"
#include "core/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace viaduct {

namespace {

using nlohmann::json;

/// Enumerators travel as their numbers: both ends are the same program.
template <typename Enum>
int number(Enum value) {
  return static_cast<int>(value);
}

template <typename Enum>
std::vector<int> numbers(const std::vector<Enum>& values) {
  std::vector<int> out;
  for (const Enum value : values) {
    out.push_back(number(value));
  }
  return out;
}

template <typename Enum>
std::vector<Enum> enumerators(const json& list) {
  std::vector<Enum> out;
  for (const json& entry : list) {
    out.push_back(static_cast<Enum>(entry.get<int>()));
  }
  return out;
}

template <typename Value>
json nullable(const std::optional<Value>& value) {
  return value ? json(*value) : json();
}

template <typename Value>
std::optional<Value> optional_at(const json& object, const char* key) {
  const json& value = object.at(key);
  return value.is_null() ? std::nullopt : std::optional<Value>(value.get<Value>());
}

json block_json(const CaseBlock& block) {
  return {{"operations", block.operations},
          {"sizes_bytes", block.sizes_bytes},
          {"datatypes", numbers(block.datatypes)},
          {"reductions", numbers(block.reductions)},
          {"placements", numbers(block.placements)},
          {"modes", numbers(block.modes)},
          {"roots", block.roots},
          {"keeps_sizes", block.keeps_sizes}};
}

CaseBlock block_of(const json& object) {
  CaseBlock block;
  block.operations = object.at("operations").get<std::vector<std::string>>();
  block.sizes_bytes = object.at("sizes_bytes").get<std::vector<std::uint64_t>>();
  block.datatypes = enumerators<Datatype>(object.at("datatypes"));
  block.reductions = enumerators<ReduceOp>(object.at("reductions"));
  block.placements = enumerators<Placement>(object.at("placements"));
  block.modes = enumerators<Mode>(object.at("modes"));
  block.roots = object.at("roots").get<std::vector<int>>();
  block.keeps_sizes = object.at("keeps_sizes").get<bool>();
  return block;
}

json blocks_json(const std::vector<CaseBlock>& blocks) {
  json list = json::array();
  for (const CaseBlock& block : blocks) {
    list.push_back(block_json(block));
  }
  return list;
}

std::vector<CaseBlock> blocks_of(const json& list) {
  std::vector<CaseBlock> blocks;
  for (const json& entry : list) {
    blocks.push_back(block_of(entry));
  }
  return blocks;
}

json path_json(const PathSpec& path) {
  return {{"name", path.name},
          {"engine", number(path.engine)},
          {"summary", path.summary},
          {"clear", path.clears_path_variables},
          {"set", path.set},
          {"unset", path.unset},
          {"must", path.must},
          {"is_preset", path.is_preset}};
}

PathSpec path_of(const json& object) {
  using Variables = std::map<std::string, std::string>;
  PathSpec path;
  path.name = object.at("name").get<std::string>();
  path.engine = static_cast<Engine>(object.at("engine").get<int>());
  path.summary = object.at("summary").get<std::string>();
  path.clears_path_variables = object.at("clear").get<bool>();
  path.set = object.at("set").get<Variables>();
  path.unset = object.at("unset").get<std::vector<std::string>>();
  path.must = object.at("must").get<Variables>();
  path.is_preset = object.at("is_preset").get<bool>();
  return path;
}

json section_json(const EngineSection& section) {
  return {{"engine", number(section.engine)},
          {"path_names", section.path_names},
          {"cap_s", nullable(section.cap_s)},
          {"blocks", blocks_json(section.blocks)}};
}

EngineSection section_of(const json& object) {
  EngineSection section;
  section.engine = static_cast<Engine>(object.at("engine").get<int>());
  section.path_names = object.at("path_names").get<std::vector<std::string>>();
  section.cap_s = optional_at<double>(object, "cap_s");
  section.blocks = blocks_of(object.at("blocks"));
  return section;
}

void write_what(json& object, const RunConfig& config) {
  object["plan_name"] = config.plan_name;
  object["engine"] = number(config.engine);
  object["path_names"] = config.path_names;
  object["added_path_names"] = config.added_path_names;
  object["own_paths"] = json::array();
  for (const PathSpec& path : config.own_paths) {
    object["own_paths"].push_back(path_json(path));
  }
  object["blocks"] = blocks_json(config.blocks);
  object["engine_sections"] = json::array();
  for (const EngineSection& section : config.engine_sections) {
    object["engine_sections"].push_back(section_json(section));
  }
}

void write_how(json& object, const RunConfig& config) {
  object["group"] = config.group;
  object["pair"] = config.pair;
  object["pairs"] = nullptr;
  if (config.pairs) {
    object["pairs"] = {{"schedule", number(config.pairs->schedule)},
                       {"budget_s", config.pairs->budget_s}};
  }
  object["window"] = nullable(config.window);
  object["method"] = number(config.method);
  object["lanes"] = number(config.lanes);
  object["reopen"] = config.reopen;
  object["cap_s"] = config.cap_s;
  object["fixed_operations"] = nullable(config.fixed_operations);
  object["warmup_operations"] = nullable(config.warmup_operations);
  object["graph_replays"] = nullable(config.graph_replays);
  object["checked_batches"] = config.checked_batches;
  object["buffers"] = number(config.buffers);
  object["offset_bytes"] = config.offset_bytes;
  object["traffics"] = json::array();
  for (const Traffic& traffic : config.traffics) {
    object["traffics"].push_back({{"name", traffic.name}, {"weights", traffic.weights}});
  }
  object["slots"] = nullable(config.slots);
  object["seed"] = config.seed;
  object["keep_samples"] = config.keep_samples;
  object["probes_algorithms"] = config.probes_algorithms;
  object["requires_path"] = config.requires_path;
  object["gates"] = {{"word", config.gates.word},
                     {"text", config.gates.text},
                     {"origin", config.gates.origin},
                     {"pointer", config.gates.pointer}};
}

void write_launch(json& object, const RunConfig& config) {
  object["expect_ranks"] = config.expect_ranks;
  object["expect_gpus_per_node"] = config.expect_gpus_per_node;
  object["allow_single"] = config.allow_single;
  object["bind"] = config.bind;
  object["out_dir"] = config.out_dir;
  object["out_name"] = config.out_name;
  object["quiet"] = config.quiet;
  object["deadline_s"] = config.deadline_s;
}

void read_what(const json& object, RunConfig& config) {
  config.plan_name = object.at("plan_name").get<std::string>();
  config.engine = static_cast<EngineChoice>(object.at("engine").get<int>());
  config.path_names = object.at("path_names").get<std::vector<std::string>>();
  config.added_path_names = object.at("added_path_names").get<std::vector<std::string>>();
  for (const json& entry : object.at("own_paths")) {
    config.own_paths.push_back(path_of(entry));
  }
  config.blocks = blocks_of(object.at("blocks"));
  for (const json& entry : object.at("engine_sections")) {
    config.engine_sections.push_back(section_of(entry));
  }
}

void read_how(const json& object, RunConfig& config) {
  config.group = object.at("group").get<std::string>();
  config.pair = object.at("pair").get<std::vector<int>>();
  if (const json& pairs = object.at("pairs"); !pairs.is_null()) {
    config.pairs = PairsChoice{static_cast<PairSchedule>(pairs.at("schedule").get<int>()),
                               pairs.at("budget_s").get<double>()};
  }
  config.window = optional_at<int>(object, "window");
  config.method = static_cast<Method>(object.at("method").get<int>());
  config.lanes = static_cast<LanesChoice>(object.at("lanes").get<int>());
  config.reopen = object.at("reopen").get<int>();
  config.cap_s = object.at("cap_s").get<double>();
  config.fixed_operations = optional_at<std::uint64_t>(object, "fixed_operations");
  config.warmup_operations = optional_at<std::uint64_t>(object, "warmup_operations");
  config.graph_replays = optional_at<std::uint64_t>(object, "graph_replays");
  config.checked_batches = object.at("checked_batches").get<std::uint64_t>();
  config.buffers = static_cast<BufferKind>(object.at("buffers").get<int>());
  config.offset_bytes = object.at("offset_bytes").get<std::uint64_t>();
  config.traffics.clear();
  for (const json& entry : object.at("traffics")) {
    config.traffics.push_back(Traffic{.name = entry.at("name").get<std::string>(),
                                      .weights = entry.at("weights").get<std::vector<double>>()});
  }
  config.slots = optional_at<std::uint64_t>(object, "slots");
  config.seed = object.at("seed").get<std::uint64_t>();
  config.keep_samples = object.at("keep_samples").get<bool>();
  config.probes_algorithms = object.at("probes_algorithms").get<bool>();
  config.requires_path = object.at("requires_path").get<bool>();
  const json& gates = object.at("gates");
  config.gates = {gates.at("word").get<std::string>(),
                  gates.at("text").get<std::string>(),
                  gates.at("origin").get<std::string>(),
                  gates.at("pointer").get<std::string>()};
}

void read_launch(const json& object, RunConfig& config) {
  config.expect_ranks = object.at("expect_ranks").get<int>();
  config.expect_gpus_per_node = object.at("expect_gpus_per_node").get<int>();
  config.allow_single = object.at("allow_single").get<bool>();
  config.bind = object.at("bind").get<std::string>();
  config.out_dir = object.at("out_dir").get<std::string>();
  config.out_name = object.at("out_name").get<std::string>();
  config.quiet = object.at("quiet").get<bool>();
  config.deadline_s = object.at("deadline_s").get<double>();
}

}  // namespace

std::string to_text(const RunConfig& config) {
  json object;
  write_what(object, config);
  write_how(object, config);
  write_launch(object, config);
  try {
    return object.dump();
  } catch (const json::exception& error) {
    throw Error(ErrorKind::internal,
                fmt::format("the configuration cannot be handed on: {}", error.what()));
  }
}

RunConfig run_config_from_text(const std::string& text) {
  try {
    const json object = json::parse(text);
    RunConfig config;
    read_what(object, config);
    read_how(object, config);
    read_launch(object, config);
    return config;
  } catch (const json::exception& error) {
    throw Error(
        ErrorKind::internal,
        fmt::format("the configuration that was handed on is not readable: {}", error.what()));
  }
}

}  // namespace viaduct
