// viaduct list: what this build knows.

#include "app/commands.hpp"
#include "baselines/reader.hpp"
#include "config/plan.hpp"
#include "core/copy_operation.hpp"
#include "core/datatype.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"
#include "gates/read_gates.hpp"
#include "paths/presets.hpp"
#include "report/format.hpp"

#include <fmt/format.h>

namespace viaduct {
namespace {

void list_paths() {
  for (const PathSpec& path : preset_paths()) {
    std::string variables;
    for (const auto& [variable, value] : path.set) {
      variables += fmt::format(" {}={}", variable, value);
    }
    fmt::print("{:<14} {:<5} {}{}{}\n",
               path.name,
               name(path.engine),
               path.summary,
               variables.empty() ? "" : " Sets",
               variables);
  }
}

void list_copies() {
  for (const CopyOperation& operation : copy_operations()) {
    fmt::print("{:<24} {}\n", operation.name, operation.summary);
  }
}

void list_datatypes() {
  for (const Datatype type : all_datatypes()) {
    const std::size_t bytes = element_bytes(type);
    fmt::print("{:<11} {} byte{}\n", name(type), bytes, bytes == 1 ? "" : "s");
  }
}

void list_plans() {
  for (const PlanEntry& plan : embedded_plans()) {
    fmt::print("{:<10} {}\n", plan.name, plan.summary);
  }
}

void list_gates() {
  for (const GateSetEntry& set : embedded_gate_sets()) {
    fmt::print("{:<10} {}\n", set.name, set.summary);
  }
}

void list_formats() {
  for (const Format* format : formats::all()) {
    fmt::print("{:<10} {}\n", format->name, format->summary);
  }
  for (const BaselineReader* reader : baselines::all()) {
    fmt::print("import {:<24} {}\n", reader->name, reader->summary);
  }
}

}  // namespace

int list_command(const std::vector<std::string>& words) {
  struct Topic {
    const char* name;
    void (*print)();
  };

  constexpr Topic topics[] = {
      {"collectives", [] { list_collectives(false); }},
      {"copies", &list_copies},
      {"paths", &list_paths},
      {"datatypes", &list_datatypes},
      {"formats", &list_formats},
      {"gates", &list_gates},
      {"plans", &list_plans},
  };
  const std::string forms =
      "viaduct list collectives [--verbose]|copies|paths|datatypes|formats|gates|plans";
  if (words.size() == 1 && (words[0] == "--help" || words[0] == "-h")) {
    fmt::print("usage: {}\n", forms);
    return 0;
  }
  if (words == std::vector<std::string>{"collectives", "--verbose"} ||
      words == std::vector<std::string>{"--verbose", "collectives"}) {
    list_collectives(true);
    return 0;
  }
  if (words.size() != 1) {
    throw Error(ErrorKind::usage, fmt::format("list takes one word: {}", forms));
  }
  std::vector<std::string> names;
  for (const Topic& topic : topics) {
    if (words[0] == topic.name) {
      topic.print();
      return 0;
    }
    names.emplace_back(topic.name);
  }
  throw Error(ErrorKind::usage, unknown_name_message("list", words[0], names));
}

}  // namespace viaduct
