#include "paths/environment.hpp"

#include "core/error.hpp"
#include "paths/effective_level.hpp"
#include "paths/presets.hpp"
#include "paths/variable_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <unistd.h>
#include <utility>

namespace viaduct {

namespace {

const std::string nvls_variable = "NCCL_NVLS_ENABLE";

/// Init, network and graph lines show the path; TUNING is left out because it prints for every
/// launch.
const std::string debug_subsystems = "INIT,BOOTSTRAP,ENV,NET,GRAPH";

bool belongs_to_mpi(const std::string& name) {
  return name.starts_with("OMPI_") || name.starts_with("PMIX_") || name.starts_with("PMI_") ||
         name.starts_with("PRTE_");
}

bool forbids_nvls(const Environment& inherited) {
  const auto found = inherited.find(nvls_variable);
  return found != inherited.end() && is_nccl_zero(found->second);
}

void expect_nvls_kept_off(const PathSpec& path) {
  const auto wanted = path.set.find(nvls_variable);
  const bool sets = wanted != path.set.end() && !is_nccl_zero(wanted->second);
  const bool unsets =
      std::find(path.unset.begin(), path.unset.end(), nvls_variable) != path.unset.end();
  if (sets || unsets) {
    throw Error(ErrorKind::refused,
                fmt::format("path '{}' {} {}, but this environment forbids NVLS with {}=0; unset "
                            "it before the launch "
                            "where multicast is allowed",
                            path.name,
                            sets ? "sets" : "unsets",
                            sets ? nvls_variable + "=" + wanted->second : nvls_variable,
                            nvls_variable));
  }
}

void clear_path_variables(Environment& environment, Engine engine, bool keep_nvls) {
  for (auto entry = environment.begin(); entry != environment.end();) {
    const bool is_kept = keep_nvls && entry->first == nvls_variable;
    entry = chooses_path(entry->first, engine) && !is_kept ? environment.erase(entry)
                                                           : std::next(entry);
  }
}

void apply_path(Environment& environment, const PathSpec& path, bool keep_nvls) {
  if (path.clears_path_variables) {
    clear_path_variables(environment, path.engine, keep_nvls);
  }
  for (const std::string& variable : path.unset) {
    environment.erase(variable);
  }
  for (const auto& [variable, value] : path.set) {
    environment[variable] = value;
  }
}

void apply_settings(Environment& environment, const WorkerSettings& settings) {
  environment["NCCL_DEBUG"] = "INFO";
  environment["NCCL_DEBUG_SUBSYS"] =
      settings.logs_tuning ? debug_subsystems + ",TUNING" : debug_subsystems;
  environment["NCCL_DEBUG_FILE"] = settings.log_file;
  if (!settings.ras_address.empty()) {
    environment["NCCL_RAS_ADDR"] = settings.ras_address;
  }
  if (settings.had_cuda_visible_devices) {
    environment["CUDA_VISIBLE_DEVICES"] = settings.cuda_visible_devices;
  } else {
    environment.erase("CUDA_VISIBLE_DEVICES");
  }
  environment.emplace("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
}

void set_registration(Environment& environment, const PathSpec& path, BufferKind buffers) {
  const bool is_registered = buffers == BufferKind::registered || buffers == BufferKind::symmetric;
  if (!path.set.contains("NCCL_GRAPH_REGISTER")) {
    environment["NCCL_GRAPH_REGISTER"] = "0";
  }
  if (!path.set.contains("NCCL_LOCAL_REGISTER")) {
    environment["NCCL_LOCAL_REGISTER"] = is_registered ? "1" : "0";
  }
}

/// Levels that NVLink satisfies become one word.
void fold_level(Environment& environment) {
  const auto value_of = [&environment](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::nullopt : std::optional(found->second);
  };
  const EffectiveLevel effective =
      effective_p2p_level(value_of("NCCL_P2P_DISABLE"), value_of("NCCL_P2P_LEVEL"));
  if (!effective.level.empty() && effective.level != "LOC") {
    environment["NCCL_P2P_LEVEL"] = "NVL";
  }
}

}  // namespace

Environment current_environment() {
  Environment environment;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos && equals > 0) {
      environment.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  return environment;
}

Environment worker_environment(const Environment& inherited,
                               const PathSpec& path,
                               const WorkerSettings& settings) {
  const bool nvls_stays_off = forbids_nvls(inherited);
  if (nvls_stays_off) {
    expect_nvls_kept_off(path);
  }
  Environment environment;
  std::copy_if(inherited.begin(),
               inherited.end(),
               std::inserter(environment, environment.end()),
               [](const auto& entry) { return !belongs_to_mpi(entry.first); });
  apply_path(environment, path, nvls_stays_off);
  if (!settings.keeps_registration) {
    set_registration(environment, path, settings.buffers);
  }
  apply_settings(environment, settings);
  return environment;
}

std::vector<std::size_t> first_with_same_environment(const Environment& inherited,
                                                     const std::vector<PathSpec>& paths,
                                                     const WorkerSettings& settings,
                                                     AlikeBy alike) {
  std::vector<std::optional<Environment>> environments;
  std::vector<std::size_t> first;
  for (const PathSpec& path : paths) {
    std::optional<Environment> own;
    try {
      own = worker_environment(inherited, path, settings);
      if (alike == AlikeBy::nvlink_everywhere) {
        fold_level(*own);
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::refused) {
        throw;
      }
    }
    const auto found = std::find(environments.begin(), environments.end(), own);
    first.push_back(own ? static_cast<std::size_t>(found - environments.begin())
                        : environments.size());
    environments.push_back(std::move(own));
  }
  return first;
}

Environment launch_environment(const Environment& /*inherited*/, const PathSpec& path) {
  return path.set;
}

std::vector<std::string> launch_unset(const Environment& inherited, const PathSpec& path) {
  std::vector<std::string> names;
  for (const auto& [variable, value] : inherited) {
    const bool is_cleared = path.clears_path_variables && chooses_path(variable, path.engine);
    const bool is_unset =
        std::find(path.unset.begin(), path.unset.end(), variable) != path.unset.end();
    if ((is_cleared || is_unset) && !path.set.contains(variable)) {
      names.push_back(variable);
    }
  }
  return names;
}

std::vector<std::string> ignored_variables(const Environment& inherited) {
  std::vector<std::string> complaints;
  for (const auto& [variable, value] : inherited) {
    if (!variable.starts_with("NCCL_")) {
      continue;
    }
    try {
      validate_variable(variable, value, "environment");
    } catch (const Error& error) {
      complaints.push_back(error.message());
    }
  }
  return complaints;
}

}  // namespace viaduct
