#include "config/run_config.hpp"

#include "core/error.hpp"
#include "core/nearest.hpp"
#include "paths/presets.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace viaduct {

namespace {

const std::vector<std::string>& default_paths(Engine engine) {
  static const std::vector<std::string> for_nccl{"direct", "host-staged"};
  static const std::vector<std::string> for_mpi{"single-copy", "double-copy", "tcp"};
  static const std::vector<std::string> for_copy{"direct", "host-staged"};
  return engine == Engine::nccl ? for_nccl : engine == Engine::mpi ? for_mpi : for_copy;
}

std::vector<std::string> path_names_of(const RunConfig& config, Engine engine) {
  if (!config.path_names.empty()) {
    return config.path_names;
  }
  std::vector<std::string> names = default_paths(engine);
  names.insert(names.end(), config.added_path_names.begin(), config.added_path_names.end());
  return names;
}

const PathSpec* find_path(const std::vector<PathSpec>& paths,
                          const std::string& name,
                          Engine engine) {
  const auto is_it = [&](const PathSpec& path) {
    return path.name == name && path.engine == engine;
  };
  const auto found = std::find_if(paths.begin(), paths.end(), is_it);
  return found == paths.end() ? nullptr : &*found;
}

/// Names of presets and own definitions for one engine.
std::vector<std::string> known_names(const RunConfig& config, Engine engine) {
  std::vector<std::string> names;
  for (const std::vector<PathSpec>* paths : {&config.own_paths, &preset_paths()}) {
    for (const PathSpec& path : *paths) {
      if (path.engine == engine) {
        names.push_back(path.name);
      }
    }
  }
  return names;
}

[[noreturn]] void refuse_path(const RunConfig& config, const std::string& wanted, Engine engine) {
  const std::vector<std::string> known = known_names(config, engine);
  for (const Engine other : all_engines) {
    const std::vector<std::string> others = known_names(config, other);
    if (std::find(others.begin(), others.end(), wanted) != others.end()) {
      throw Error(
          ErrorKind::usage,
          fmt::format("path '{}' is of engine {}, and this run uses engine {}, whose paths are {}",
                      wanted,
                      name(other),
                      name(engine),
                      fmt::join(known, ", ")));
    }
  }
  const std::string what = fmt::format("path of engine {}", name(engine));
  throw Error(ErrorKind::usage, unknown_name_message(what, wanted, known));
}

}  // namespace

const char* name(EngineChoice choice) {
  switch (choice) {
    case EngineChoice::nccl:
      return "nccl";
    case EngineChoice::mpi:
      return "mpi";
    case EngineChoice::copy:
      return "copy";
    case EngineChoice::auto_:
      break;
  }
  return "auto";
}

EngineChoice choice_of(Engine engine) {
  switch (engine) {
    case Engine::nccl:
      return EngineChoice::nccl;
    case Engine::mpi:
      return EngineChoice::mpi;
    case Engine::copy:
      return EngineChoice::copy;
  }
  return EngineChoice::auto_;
}

const char* name(LanesChoice choice) {
  return choice == LanesChoice::automatic  ? "auto"
         : choice == LanesChoice::together ? "together"
                                           : "serial";
}

EngineChoice parse_engine_choice(std::string_view text) {
  for (const EngineChoice choice :
       {EngineChoice::auto_, EngineChoice::nccl, EngineChoice::mpi, EngineChoice::copy}) {
    if (text == name(choice)) {
      return choice;
    }
  }
  throw Error(ErrorKind::usage,
              fmt::format("unknown engine '{}'; write auto, nccl, mpi or copy", text));
}

LanesChoice parse_lanes_choice(std::string_view text) {
  for (const LanesChoice choice :
       {LanesChoice::automatic, LanesChoice::together, LanesChoice::serial}) {
    if (text == name(choice)) {
      return choice;
    }
  }
  throw Error(ErrorKind::usage,
              fmt::format("unknown way to hold lanes '{}'; write auto, together or serial", text));
}

void add_own_path(RunConfig& config, PathSpec path) {
  if (find_path(preset_paths(), path.name, path.engine) != nullptr) {
    throw Error(
        ErrorKind::usage,
        fmt::format("path '{}' is a preset and keeps its meaning; give your path another name",
                    path.name));
  }
  if (find_path(config.own_paths, path.name, path.engine) != nullptr) {
    throw Error(ErrorKind::usage, fmt::format("path '{}' is defined twice", path.name));
  }
  config.own_paths.push_back(std::move(path));
}

void add_path_name(RunConfig& config, const std::string& name) {
  const auto is_there = [&name](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (config.path_names.empty()) {
    config.added_path_names.push_back(name);
  } else if (!is_there(config.path_names)) {
    config.path_names.push_back(name);
  }
}

RunConfig for_engine(RunConfig config, Engine engine) {
  const std::vector<EngineSection> sections = std::move(config.engine_sections);
  config.engine_sections.clear();
  for (const EngineSection& section : sections) {
    if (section.engine != engine) {
      continue;
    }
    if (config.path_names.empty() && !section.path_names.empty()) {
      config.path_names = section.path_names;
      for (const std::string& name : config.added_path_names) {
        add_path_name(config, name);
      }
    }
    if (!section.blocks.empty()) {
      config.blocks = section.blocks;
    }
    config.cap_s = section.cap_s.value_or(config.cap_s);
  }
  return config;
}

Engine resolve_engine(const RunConfig& config, bool gpu_is_visible) {
  switch (config.engine) {
    case EngineChoice::nccl:
      return Engine::nccl;
    case EngineChoice::mpi:
      return Engine::mpi;
    case EngineChoice::copy:
      return Engine::copy;
    case EngineChoice::auto_:
      break;
  }
  return gpu_is_visible ? Engine::nccl : Engine::mpi;
}

std::vector<PathSpec> resolve_paths(const RunConfig& config, Engine engine) {
  const RunConfig folded = for_engine(config, engine);
  std::vector<PathSpec> paths;
  for (const std::string& wanted : path_names_of(folded, engine)) {
    if (find_path(paths, wanted, engine) != nullptr) {
      throw Error(ErrorKind::usage, fmt::format("path '{}' is asked for twice", wanted));
    }
    const PathSpec* own = find_path(folded.own_paths, wanted, engine);
    const PathSpec* found = own != nullptr ? own : find_path(preset_paths(), wanted, engine);
    if (found == nullptr) {
      refuse_path(folded, wanted, engine);
    }
    paths.push_back(*found);
  }
  return paths;
}

}  // namespace viaduct
