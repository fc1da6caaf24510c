#include "paths/presets.hpp"

#include "core/error.hpp"
#include "core/nearest.hpp"
#include "paths/json_place.hpp"
#include "paths/path_requirement.hpp"
#include "paths/variable_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace viaduct {

namespace embedded {

std::string_view paths_json();

}  // namespace embedded

namespace {

constexpr std::size_t longest_name = 40;

/// Names become parts of file names and of lists with commas.
bool is_path_name(std::string_view text) {
  const auto is_plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  const auto is_inner = [&is_plain](char c) {
    return is_plain(c) || c == '-' || c == '_' || c == '.';
  };
  return !text.empty() && text.size() <= longest_name && is_plain(text.front()) &&
         std::all_of(text.begin(), text.end(), is_inner);
}

std::string name_complaint(std::string_view name) {
  return fmt::format(
      "'{}' is not a name of a path; write up to {} letters, digits, '-', '_' or '.', a letter or "
      "digit first",
      name,
      longest_name);
}

/// What no path may set or unset, in words; empty when it may.
std::string ownership_complaint(const std::string& variable, Engine engine) {
  if (engine == Engine::nccl && is_owned(variable)) {
    return fmt::format("{} is set by Viaduct itself for each worker and cannot be part of a path",
                       variable);
  }
  const bool is_mpi_variable = variable.starts_with("OMPI_") || variable.starts_with("PMIX_") ||
                               variable.starts_with("PMI_");
  if (engine == Engine::copy && variable.starts_with("NCCL_")) {
    return fmt::format("{} has no effect on a path of engine copy, which uses no NCCL", variable);
  }
  if (engine != Engine::mpi && is_mpi_variable) {
    return fmt::format("{} has no effect on a path of engine {}, whose workers use no MPI",
                       variable,
                       name(engine));
  }
  if (engine == Engine::mpi && variable.starts_with("NCCL_")) {
    return fmt::format("{} has no effect on a path of engine mpi, which uses no NCCL", variable);
  }
  return "";
}

void expect_free(const std::string& variable, Engine engine, const std::string& origin) {
  const std::string complaint = ownership_complaint(variable, engine);
  if (!complaint.empty()) {
    throw Error(ErrorKind::usage, fmt::format("{}: {}", origin, complaint));
  }
}

void read_variables(const JsonPlace& place, PathSpec& path) {
  if (const auto set = place.find("set")) {
    for (const auto& [variable, value] : set->members()) {
      const std::string origin = fmt::format("{}: {}", value.origin(), value.pointer());
      expect_free(variable, path.engine, origin);
      path.set[variable] = value.text();
      validate_variable(variable, path.set[variable], origin);
    }
  }
  const auto unset = place.find("unset");
  if (!unset) {
    return;
  }
  for (const JsonPlace& entry : unset->elements()) {
    const std::string variable = entry.text();
    if (!is_variable_name(variable)) {
      entry.fail(fmt::format("'{}' is not the name of a variable", variable));
    }
    if (path.set.contains(variable)) {
      entry.fail(fmt::format("{} is set by the same path", variable));
    }
    expect_free(variable, path.engine, fmt::format("{}: {}", entry.origin(), entry.pointer()));
    path.unset.push_back(variable);
  }
}

void read_must(const JsonPlace& place, PathSpec& path) {
  const auto must = place.find("must");
  if (!must) {
    return;
  }
  must->expect_object({"same_host", "other_host", "nvlink"});
  for (const auto& [what, value] : must->members()) {
    path.must[what] = value.word(allowed_requirements(what));
  }
}

PathSpec read_path(const JsonPlace& place) {
  place.expect_object({"name", "engine", "summary", "clear", "set", "unset", "must"});
  PathSpec path;
  const JsonPlace name_place = place.at("name");
  path.name = name_place.text();
  if (!is_path_name(path.name)) {
    name_place.fail(name_complaint(path.name));
  }
  if (const auto engine = place.find("engine")) {
    path.engine = engine_named(engine->word({"nccl", "mpi", "copy"}));
  }
  if (const auto summary = place.find("summary")) {
    path.summary = summary->text();
  }
  if (const auto clear = place.find("clear")) {
    path.clears_path_variables = clear->flag();
  }
  read_variables(place, path);
  read_must(place, path);
  path.is_preset = false;
  return path;
}

bool is_same(const PathSpec& path, std::string_view name, Engine engine) {
  return path.name == name && path.engine == engine;
}

void add_assignment(PathSpec& path, const std::string& assignment, const std::string& origin) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: '{}' is not VAR=VALUE (an empty value unsets)", origin, assignment));
  }
  const std::string variable = assignment.substr(0, equals);
  const std::string value = assignment.substr(equals + 1);
  expect_free(variable, path.engine, origin);
  const bool is_known =
      path.set.contains(variable) ||
      std::find(path.unset.begin(), path.unset.end(), variable) != path.unset.end();
  if (is_known) {
    throw Error(ErrorKind::usage, fmt::format("{}: {} is given twice", origin, variable));
  }
  if (value.empty()) {
    if (!is_variable_name(variable)) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: '{}' is not the name of a variable", origin, variable));
    }
    path.unset.push_back(variable);
    return;
  }
  validate_variable(variable, value, origin);
  path.set[variable] = value;
}

/// Splits at commas that begin a new assignment, so that a value may hold a list: A=x,y,B=z.
std::vector<std::string> assignments_of(std::string_view text) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (start <= text.size()) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    const std::string part(text.substr(start, comma - start));
    const std::size_t equals = part.find('=');
    const bool is_new = equals != std::string::npos && is_variable_name(part.substr(0, equals));
    if (is_new || parts.empty()) {
      parts.push_back(part);
    } else {
      parts.back() += "," + part;
    }
    start = comma + 1;
  }
  return parts;
}

std::vector<PathSpec> read_presets() {
  std::vector<PathSpec> paths = parse_paths(embedded::paths_json(), "configs/paths.json");
  for (PathSpec& path : paths) {
    path.is_preset = true;
  }
  return paths;
}

}  // namespace

std::vector<PathSpec> read_path_list(const JsonPlace& list) {
  std::vector<PathSpec> paths;
  for (const JsonPlace& place : list.elements()) {
    PathSpec path = read_path(place);
    const auto is_twin = [&path](const PathSpec& other) {
      return is_same(other, path.name, path.engine);
    };
    if (std::any_of(paths.begin(), paths.end(), is_twin)) {
      place.at("name").fail(fmt::format("path '{}' is defined twice", path.name));
    }
    paths.push_back(std::move(path));
  }
  return paths;
}

std::vector<PathSpec> parse_paths(std::string_view json_text, const std::string& origin) {
  const nlohmann::json document = parse_json(json_text, origin);
  const JsonPlace top(document, origin);
  top.expect_object({"paths"});
  return read_path_list(top.at("paths"));
}

const std::vector<PathSpec>& preset_paths() {
  static const std::vector<PathSpec> presets = read_presets();
  return presets;
}

const PathSpec& preset_path(std::string_view name, Engine engine) {
  std::vector<std::string> names;
  for (const PathSpec& path : preset_paths()) {
    if (is_same(path, name, engine)) {
      return path;
    }
    if (path.engine == engine) {
      names.push_back(path.name);
    }
  }
  const std::string what = fmt::format("path of engine {}", viaduct::name(engine));
  throw Error(ErrorKind::usage, unknown_name_message(what, name, names));
}

PathSpec parse_path_argument(std::string_view text, Engine engine) {
  const std::string origin = fmt::format("--path {}", text);
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: write NAME:VAR=VALUE,VAR=VALUE (a preset is asked for with --paths)",
                    origin));
  }
  PathSpec path;
  path.name = std::string(text.substr(0, colon));
  path.engine = engine;
  path.is_preset = false;
  if (!is_path_name(path.name)) {
    throw Error(ErrorKind::usage, fmt::format("{}: {}", origin, name_complaint(path.name)));
  }
  for (const std::string& assignment : assignments_of(text.substr(colon + 1))) {
    add_assignment(path, assignment, origin);
  }
  path.summary = "Made on the command line.";
  return path;
}

}  // namespace viaduct
