#include "paths/variable_notes.hpp"

#include "paths/effective_level.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace viaduct {

namespace {

using Worker = std::pair<std::string, std::int64_t>;  // host and pid

/// A variable that the log must speak of, and the value that it must say.
struct Asked {
  std::string name;
  std::string value;
};

std::optional<std::string> value_in(const PathSpec& path, const std::string& name) {
  const auto found = path.set.find(name);
  return found == path.set.end() ? std::nullopt : std::optional(found->second);
}

/// NCCL reads one of the two P2P variables, and says the level that it made of it.
std::optional<Asked> asked_of_p2p(const PathSpec& path) {
  const EffectiveLevel effective =
      effective_p2p_level(value_in(path, "NCCL_P2P_DISABLE"), value_in(path, "NCCL_P2P_LEVEL"));
  constexpr std::string_view between = " set by environment to ";
  const std::size_t at = effective.confirmation.find(between);
  if (at == std::string::npos) {
    return std::nullopt;
  }
  return Asked{effective.confirmation.substr(0, at),
               effective.confirmation.substr(at + between.size())};
}

std::vector<Asked> asked_of(const PathSpec& path) {
  std::vector<Asked> asked;
  for (const auto& [name, value] : path.set) {
    const bool is_p2p = name == "NCCL_P2P_DISABLE" || name == "NCCL_P2P_LEVEL";
    if (name.starts_with("NCCL_") && !is_p2p && !value.empty()) {
      asked.push_back({name, value});
    }
  }
  if (auto p2p = asked_of_p2p(path)) {
    asked.push_back(std::move(*p2p));
  }
  return asked;
}

std::optional<long long> number_of(const std::string& text) {
  char* end = nullptr;
  const long long number = std::strtoll(text.c_str(), &end, 0);
  return end == text.c_str() ? std::nullopt : std::optional(number);
}

/// "1", "0x1" and "01" are one value for NCCL, and so are "Ring" and "RING".
bool is_same_value(const std::string& a, const std::string& b) {
  const auto first = number_of(a);
  const auto second = number_of(b);
  if (first && second) {
    return *first == *second;
  }
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

/// {2, 28}; {0, 0}: no line says the version.
std::pair<int, int> lowest_version(const NcclLog& log) {
  std::pair<int, int> lowest{0, 0};
  for (const auto& [text, lines] : log.versions) {
    const std::size_t dot = text.find('.');
    const int major = std::atoi(text.c_str());
    const int minor = dot == std::string::npos ? 0 : std::atoi(text.c_str() + dot + 1);
    const std::pair<int, int> version(major, minor);
    lowest = lowest.first == 0 ? version : std::min(lowest, version);
  }
  return lowest;
}

bool is_always_printed(const std::string& name, std::pair<int, int> version) {
  const bool by_p2p = name == "NCCL_P2P_DISABLE" || name == "NCCL_P2P_LEVEL";
  const bool at_start = name == "NCCL_ALGO" || name == "NCCL_PROTO" || name == "NCCL_NVLS_ENABLE";
  return (at_start && version >= std::pair(2, 18)) || (by_p2p && version >= std::pair(2, 23));
}

/// Workers whose start the log shows to its end, and that have what the variable is about.
std::set<Worker> workers_to_confirm(const std::string& name, const NcclLog& log) {
  const bool needs_neighbour = name.starts_with("NCCL_P2P_");
  std::set<Worker> workers;
  for (const LogCommunicator& comm : log.communicators) {
    const bool is_concerned = needs_neighbour ? comm.local_ranks.value_or(1) > 1 : comm.ranks > 1;
    if (comm.complete && is_concerned) {
      workers.emplace(comm.writer.host, comm.writer.pid);
    }
  }
  return workers;
}

/// Values that differ from what was asked for, and how many workers took each.
std::string taken_otherwise(const Asked& asked, const NcclLog& log) {
  std::map<std::string, std::set<Worker>> other;
  for (const LogVariable& variable : log.variables) {
    if (variable.name == asked.name && !is_same_value(variable.value, asked.value)) {
      other[variable.value].emplace(variable.writer.host, variable.writer.pid);
    }
  }
  std::string text;
  for (const auto& [value, workers] : other) {
    text += fmt::format("{}{} in {} {}",
                        text.empty() ? "" : ", ",
                        value,
                        workers.size(),
                        workers.size() == 1 ? "worker" : "workers");
  }
  return text.empty()
             ? ""
             : fmt::format(
                   "NCCL took {} as {}, the path asked for {}", asked.name, text, asked.value);
}

std::string not_confirmed(const Asked& asked, const NcclLog& log) {
  if (!is_always_printed(asked.name, lowest_version(log))) {
    return "";
  }
  std::set<Worker> open = workers_to_confirm(asked.name, log);
  const std::size_t all = open.size();
  for (const LogVariable& variable : log.variables) {
    if (variable.name == asked.name) {
      open.erase({variable.writer.host, variable.writer.pid});
    }
  }
  return open.empty() ? ""
                      : fmt::format(
                            "{} of {} workers do not confirm {}={}, which this NCCL "
                            "does when it takes it",
                            open.size(),
                            all,
                            asked.name,
                            asked.value);
}

}  // namespace

std::vector<std::string> variable_notes(const PathSpec& path, const NcclLog& log) {
  std::vector<std::string> notes;
  for (const Asked& asked : asked_of(path)) {
    std::string note = taken_otherwise(asked, log);
    if (note.empty()) {
      note = not_confirmed(asked, log);
    }
    if (!note.empty()) {
      notes.push_back(std::move(note));
    }
  }
  return notes;
}

}  // namespace viaduct
