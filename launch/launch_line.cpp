#include "launch/launch_line.hpp"

#include "core/error.hpp"
#include "core/nearest.hpp"
#include "launch/launcher.hpp"
#include "launch/passed_variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace viaduct {

namespace {

const Launcher* find_launcher(std::string_view name) {
  for (const Launcher* launcher : launchers::all()) {
    if (name == launcher->name) {
      return launcher;
    }
  }
  return nullptr;
}

const Launcher& automatic_launcher(const LaunchFacts& facts) {
  // Inside an allocation only srun knows where the job's nodes and GPUs are for certain.
  const Launcher* srun = find_launcher("srun");
  if (facts.in_slurm && facts.has_srun && srun != nullptr) {
    return *srun;
  }
  for (const Launcher* launcher : launchers::all()) {
    if (facts.*(launcher->is_found)) {
      return *launcher;
    }
  }
  throw Error(ErrorKind::usage,
              "no launcher found: neither mpirun nor srun is in a folder of PATH; install Open MPI "
              "(Debian: openmpi-bin) or load its module");
}

const Launcher& chosen_launcher(const LaunchRequest& request, const LaunchFacts& facts) {
  if (request.launcher == "auto") {
    return automatic_launcher(facts);
  }
  const Launcher* launcher = find_launcher(request.launcher);
  if (launcher == nullptr) {
    std::vector<std::string> known{"auto"};
    for (const Launcher* entry : launchers::all()) {
      known.emplace_back(entry->name);
    }
    throw Error(ErrorKind::usage, unknown_name_message("launcher", request.launcher, known));
  }
  if (!(facts.*(launcher->is_found))) {
    throw Error(ErrorKind::usage,
                fmt::format("launcher '{}' is not in a folder of PATH", request.launcher));
  }
  return *launcher;
}

/// As a POSIX shell takes it: plain words as they are, everything else in single quotes.
std::string quoted(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
    return word;
  }
  std::string text = "'";
  for (const char letter : word) {
    text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  }
  return text + "'";
}

}  // namespace

bool LaunchFacts::has_variable(const std::string& name) const {
  return std::find(variables.begin(), variables.end(), name) != variables.end();
}

LaunchLine make_launch_line(const LaunchRequest& request, const LaunchFacts& facts) {
  const Launcher& launcher = chosen_launcher(request, facts);
  std::vector<HostSlots> hosts;
  if (!request.hosts_file.empty()) {
    hosts = read_hosts_file(request.hosts_file);
  }
  const Placement placement = place_ranks(request, launcher.hosts(facts), std::move(hosts));
  LaunchLine line = launcher.make(request, facts, placement);
  line.ranks = placement.ranks;
  for (const Export& one : parse_exports(request.exports, facts)) {
    if (one.has_value) {
      line.environment[one.name] = one.value;
    }
  }
  for (const auto& [variable, value] : request.environment) {
    line.environment[variable] = value;
  }
  line.unset.insert(line.unset.end(), request.unset.begin(), request.unset.end());
  line.words.push_back(request.program);
  line.words.emplace_back("run");
  line.words.insert(line.words.end(), request.run_words.begin(), request.run_words.end());
  return line;
}

std::string shell_text(const LaunchLine& line) {
  std::vector<std::string> parts;
  if (!line.environment.empty() || !line.unset.empty()) {
    parts.emplace_back("env");
  }
  for (const std::string& variable : line.unset) {
    parts.push_back("-u " + quoted(variable));
  }
  for (const auto& [variable, value] : line.environment) {
    parts.push_back(variable + "=" + (value.empty() ? "" : quoted(value)));
  }
  for (const std::string& word : line.words) {
    parts.push_back(quoted(word));
  }
  return fmt::format("{}", fmt::join(parts, " "));
}

}  // namespace viaduct
