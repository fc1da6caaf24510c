#include "config/run_settings.hpp"

#include "config/limits.hpp"
#include "config/operation_engine.hpp"
#include "config/option_reading.hpp"
#include "config/option_values.hpp"
#include "config/pairs_options.hpp"
#include "config/text_file.hpp"
#include "config/value_words.hpp"
#include "core/error.hpp"
#include "core/group_map.hpp"
#include "core/size_text.hpp"
#include "paths/presets.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>

namespace viaduct {

namespace {

void apply_method(const RunOptions& options, RunConfig& config) {
  const auto count = [&options](
                         const char* key, std::uint64_t least, std::optional<std::uint64_t>& to) {
    with_option(options, key, [&](const std::string& text) {
      to = whole_number(option_name(key), text, least, limits::count);
    });
  };
  count("iters", 1, config.fixed_operations);
  count("warmup_iters", 0, config.warmup_operations);
  with_option(options, "check", [&](const std::string& text) {
    config.checked_batches = whole_number("-c", text, 0, limits::count);
  });
  with_option(options, "method", [&](const std::string& text) {
    config.method = read_option("method", [&] { return parse_method(text); });
  });
  with_option(options, "time", [&](const std::string& text) {
    config.cap_s = number_above("--time", text, 0);
    for (EngineSection& section : config.engine_sections) {
      section.cap_s.reset();
    }
  });
  with_option(options, "reopen", [&](const std::string& text) {
    config.reopen = static_cast<int>(whole_number("--reopen", text, 1, limits::reopen));
  });
  count("slots", 1, config.slots);
  with_option(options, "seed", [&](const std::string& text) {
    config.seed = whole_number("--seed", text, 0, std::numeric_limits<std::uint64_t>::max());
  });
  config.keep_samples = config.keep_samples || options.has("samples");
  config.probes_algorithms = config.probes_algorithms && !options.has("no-probe");
  config.requires_path = config.requires_path || options.has("require-path");
}

/// A variable of MPI makes a path of the mpi engine where --engine does not say.
Engine engine_of_path(EngineChoice choice, const std::string& text) {
  if (choice == EngineChoice::copy) {
    return Engine::copy;
  }
  const bool names_mpi =
      text.find(":OMPI_") != std::string::npos || text.find(",OMPI_") != std::string::npos;
  const bool is_mpi = choice == EngineChoice::mpi || (choice == EngineChoice::auto_ && names_mpi);
  return is_mpi ? Engine::mpi : Engine::nccl;
}

void apply_paths(const RunOptions& options, RunConfig& config) {
  with_option(options, "engine", [&](const std::string& text) {
    config.engine = read_option("engine", [&] { return parse_engine_choice(text); });
  });
  settle_engine(config);
  with_option(options, "paths", [&](const std::string& text) {
    config.path_names = word_list("--paths", text);
  });
  with_option(options, "paths-file", [&](const std::string& file) {
    for (PathSpec& path : parse_paths(read_text_file(file, "file of paths"), file)) {
      read_option("paths-file", [&] {
        add_own_path(config, std::move(path));
        return true;
      });
    }
  });
  for (const std::string& text : options.paths) {
    PathSpec path = parse_path_argument(text, engine_of_path(config.engine, text));
    add_path_name(config, path.name);
    add_own_path(config, std::move(path));
  }
}

BufferKind buffers_of_registration(std::uint64_t level) {
  constexpr std::array kinds{BufferKind::plain, BufferKind::registered, BufferKind::symmetric};
  return kinds.at(level);
}

/// "3,0": from the first to the second.
std::vector<int> two_ranks(const std::string& text) {
  std::vector<int> ranks;
  for (const std::string& word : word_list("--pair", text)) {
    ranks.push_back(static_cast<int>(whole_number("--pair", word, 0, limits::ranks)));
  }
  if (ranks.size() != 2) {
    throw Error(ErrorKind::usage,
                fmt::format("--pair: '{}' is not two ranks; write them as 0,3", text));
  }
  return ranks;
}

void apply_lanes(const RunOptions& options, RunConfig& config) {
  with_option(options, "lanes", [&](const std::string& text) {
    config.lanes = read_option("lanes", [&] { return parse_lanes_choice(text); });
  });
  with_option(options, "group", [&](const std::string& text) {
    config.group = read_option("group", [&] { return parse_group_kind(text); });
  });
  with_option(options, "pair", [&](const std::string& text) { config.pair = two_ranks(text); });
  if (!config.pair.empty() && config.group != "all") {
    throw Error(ErrorKind::usage,
                fmt::format("--pair lets two ranks measure and --group {} all of them; keep one",
                            config.group));
  }
  with_option(options, "buffers", [&](const std::string& text) {
    config.buffers = read_option("buffers", [&] { return parse_buffer_kind(text); });
  });
  with_option(options, "local_register", [&](const std::string& text) {
    const BufferKind asked = buffers_of_registration(whole_number("-R", text, 0, 2));
    if (options.has("buffers") && asked != config.buffers) {
      throw Error(ErrorKind::usage,
                  fmt::format("-R {} asks for {} buffers and --buffers for {}; keep one of them",
                              text,
                              name(asked),
                              name(config.buffers)));
    }
    config.buffers = asked;
  });
  with_option(options, "offset", [&](const std::string& text) {
    config.offset_bytes = parse_size(text, "--offset");
    read_option("offset", [&config] {
      expect_offset(config.offset_bytes);
      return true;
    });
  });
}

void apply_launch(const RunOptions& options, RunConfig& config) {
  const auto ranks = [&options](const char* key, int& to) {
    with_option(options, key, [&](const std::string& text) {
      to = static_cast<int>(whole_number(option_name(key), text, 1, limits::ranks));
    });
  };
  ranks("expect-ranks", config.expect_ranks);
  ranks("expect-gpus-per-node", config.expect_gpus_per_node);
  config.allow_single = config.allow_single || options.has("allow-single");
  config.quiet = config.quiet || options.has("quiet");
  with_option(options, "bind", [&](const std::string& text) {
    if (text != "gpu" && text != "launcher" && text != "none") {
      throw Error(ErrorKind::usage, fmt::format("--bind: '{}' is not gpu, launcher or none", text));
    }
    config.bind = text;
  });
  with_option(options, "gates", [&](const std::string& text) {
    if (text.empty()) {
      throw Error(ErrorKind::usage, "--gates: the name of the file is empty");
    }
    config.gates = {text, "", "", ""};
  });
  with_option(options, "deadline", [&](const std::string& text) {
    config.deadline_s = number_above("--deadline", text, 0);
  });
  with_option(options, "out", [&](const std::string& text) {
    if (text.empty()) {
      throw Error(ErrorKind::usage, "--out: the name of the folder is empty");
    }
    config.out_dir = text;
  });
}

}  // namespace

void apply_run_settings(const RunOptions& options, RunConfig& config) {
  apply_method(options, config);
  apply_paths(options, config);
  apply_lanes(options, config);
  apply_launch(options, config);
  apply_pairs(options, config);
}

}  // namespace viaduct
