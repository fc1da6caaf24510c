#include "config/pairs_options.hpp"

#include "config/option_reading.hpp"
#include "config/option_values.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

namespace viaduct {

namespace {

constexpr std::uint64_t mib = 1024UL * 1024UL;
constexpr std::uint64_t latency_size = 8;
/// Large enough for the rate of a link to be seen, small enough for thousands of pairs.
constexpr std::uint64_t device_size = 64 * mib;
constexpr std::uint64_t host_size = 4 * mib;
constexpr double default_time_s = 1;

constexpr const char* latency_pattern = "pingpong";
constexpr const char* bandwidth_pattern = "pair_unidirectional";

std::vector<std::string> patterns_of(const RunOptions& options,
                                     const std::vector<std::string>& known) {
  std::vector<std::string> patterns{bandwidth_pattern, latency_pattern};
  with_option(options, "pattern", [&](const std::string& text) {
    patterns = word_list("--pattern", text);
    for (const std::string& pattern : patterns) {
      if (std::find(known.begin(), known.end(), pattern) == known.end()) {
        throw Error(ErrorKind::usage,
                    "--pattern: " + unknown_name_message("pattern", pattern, known));
      }
    }
  });
  return patterns;
}

/// Both directions of every pattern that has one, in stream: the fastest way to one sound number.
CaseBlock block_of(const std::string& pattern, std::uint64_t size_bytes) {
  CaseBlock block;
  block.operations = {pattern};
  block.sizes_bytes = {size_bytes};
  block.roots.clear();
  return block;
}

EngineSection section_of(Engine engine,
                         const std::vector<std::string>& patterns,
                         std::uint64_t size_bytes) {
  EngineSection section;
  section.engine = engine;
  for (const std::string& pattern : patterns) {
    const bool is_latency = pattern == latency_pattern;
    CaseBlock block = block_of(pattern, is_latency ? latency_size : size_bytes);
    block.modes = {is_latency && engine == Engine::nccl ? Mode::graph : Mode::stream};
    block.keeps_sizes = is_latency && patterns.size() > 1;
    section.blocks.push_back(std::move(block));
  }
  return section;
}

void refuse_options_of_pairs(const RunOptions& options, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    if (options.has(key)) {
      throw Error(
          ErrorKind::usage,
          fmt::format("--{} belongs to `viaduct run pairs`, which measures every two ranks", key));
    }
  }
}

}  // namespace

bool asks_for_pairs(const RunOptions& options) {
  const auto& names = options.names;
  const bool is_named = std::find(names.begin(), names.end(), "pairs") != names.end();
  if (is_named && names.size() > 1) {
    throw Error(ErrorKind::usage,
                "pairs stands alone; what each pair runs comes with --pattern pingpong,...");
  }
  if (!is_named) {
    refuse_options_of_pairs(options, {"pattern"});
  }
  return is_named;
}

RunConfig config_of_pairs(const RunOptions& options,
                          const std::vector<std::string>& known_operations) {
  const std::vector<std::string> patterns = patterns_of(options, known_operations);
  RunConfig config;
  config.plan_name = "pairs";
  config.pairs = PairsChoice{};
  config.cap_s = default_time_s;
  config.engine_sections.push_back(section_of(Engine::nccl, patterns, device_size));
  config.engine_sections.push_back(section_of(Engine::mpi, patterns, host_size));
  return config;
}

void apply_pairs(const RunOptions& options, RunConfig& config) {
  if (!config.pairs) {
    refuse_options_of_pairs(options, {"schedule", "budget"});
    return;
  }
  with_option(options, "schedule", [&](const std::string& text) {
    config.pairs->schedule = read_option("schedule", [&] { return parse_pair_schedule(text); });
  });
  with_option(options, "budget", [&](const std::string& text) {
    config.pairs->budget_s = number_above("--budget", text, 0);
  });
  if (config.group != "all" || !config.pair.empty()) {
    throw Error(ErrorKind::usage,
                fmt::format("pairs measures every two ranks; leave --{} away",
                            config.pair.empty() ? "group" : "pair"));
  }
  if (config.reopen > 1) {
    throw Error(
        ErrorKind::usage,
        fmt::format("--reopen {}: pairs opens its paths once; leave it away", config.reopen));
  }
}

}  // namespace viaduct
