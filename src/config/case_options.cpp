#include "config/case_options.hpp"

#include "config/limits.hpp"
#include "config/option_reading.hpp"
#include "config/option_sizes.hpp"
#include "config/option_values.hpp"
#include "config/value_words.hpp"
#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace viaduct {

namespace {

/// `read`: a word to the list of values that it stands for.
template <typename Read>
auto read_words(const std::string& key, const std::string& text, const Read& read) {
  decltype(read(std::string())) values;
  for (const std::string& word : word_list(option_name(key), text)) {
    for (const auto& value : read_option(key, [&] { return read(word); })) {
      if (std::find(values.begin(), values.end(), value) == values.end()) {
        values.push_back(value);
      }
    }
  }
  return values;
}

std::vector<Mode> modes_of_word(const std::string& word) {
  return {parse_mode(word)};
}

std::vector<Traffic> traffics_of_word(const std::string& word) {
  return {traffic_of_word(word)};
}

/// Applies `change` to every block: of the plan, and of its sections for one engine.
template <typename Change>
void for_each_block(RunConfig& config, const Change& change) {
  for (CaseBlock& block : config.blocks) {
    change(block);
  }
  for (EngineSection& section : config.engine_sections) {
    for (CaseBlock& block : section.blocks) {
      change(block);
    }
  }
}

std::vector<Placement> placements_of(const RunOptions& options) {
  const bool in_place = options.has("in-place");
  const bool out_of_place = options.has("out-of-place");
  if (!options.has("placement")) {
    std::vector<Placement> placements;
    if (out_of_place) {
      placements.push_back(Placement::out_of_place);
    }
    if (in_place) {
      placements.push_back(Placement::in_place);
    }
    return placements;
  }
  if (in_place || out_of_place) {
    throw Error(ErrorKind::usage,
                "--placement says it all; leave --in-place and --out-of-place away");
  }
  const std::string& word = options.values.at("placement");
  if (word == "both") {
    return {Placement::out_of_place, Placement::in_place};
  }
  if (word != name(Placement::out_of_place) && word != name(Placement::in_place)) {
    throw Error(ErrorKind::usage,
                fmt::format("--placement: '{}' is not out-of-place, in-place or both", word));
  }
  return {parse_placement(word)};
}

void apply_sizes(const RunOptions& options, RunConfig& config) {
  for_each_block(config, [&options](CaseBlock& block) {
    if (block.keeps_sizes) {
      return;
    }
    if (const auto sizes = sizes_of_options(options, smallest_element(block.datatypes))) {
      block.sizes_bytes = *sizes;
    }
  });
}

void apply_lists(const RunOptions& options, RunConfig& config) {
  with_option(options, "datatype", [&](const std::string& text) {
    const auto datatypes = read_words("datatype", text, datatypes_of_word);
    for_each_block(config, [&](CaseBlock& block) { block.datatypes = datatypes; });
  });
  with_option(options, "op", [&](const std::string& text) {
    const auto reductions = read_words("op", text, reductions_of_word);
    for_each_block(config, [&](CaseBlock& block) { block.reductions = reductions; });
  });
  with_option(options, "root", [&](const std::string& text) {
    const std::vector<std::string> words = word_list(option_name("root"), text);
    const std::vector<int> roots = read_option("root", [&] { return roots_of_words(words); });
    for_each_block(config, [&](CaseBlock& block) { block.roots = roots; });
  });
  with_option(options, "traffic", [&](const std::string& text) {
    config.traffics = read_words("traffic", text, traffics_of_word);
  });
  with_option(options, "mode", [&](const std::string& text) {
    const auto modes = read_words("mode", text, modes_of_word);
    for_each_block(config, [&](CaseBlock& block) { block.modes = modes; });
  });
  with_option(options, "window", [&](const std::string& text) {
    config.window = static_cast<int>(whole_number("--window", text, 1, limits::window));
  });
  const std::vector<Placement> placements = placements_of(options);
  if (!placements.empty()) {
    for_each_block(config, [&](CaseBlock& block) { block.placements = placements; });
  }
}

/// -G is a wish for mode graph and for nothing else.
void apply_graph(const RunOptions& options, RunConfig& config) {
  with_option(options, "cudagraph", [&](const std::string& text) {
    const std::uint64_t replays = whole_number("-G", text, 0, limits::count);
    if (replays == 0) {
      config.graph_replays.reset();
      return;
    }
    config.graph_replays = replays;
    if (!options.has("mode")) {
      for_each_block(config, [](CaseBlock& block) { block.modes = {Mode::graph}; });
      return;
    }
    for_each_block(config, [](CaseBlock& block) {
      if (std::find(block.modes.begin(), block.modes.end(), Mode::graph) == block.modes.end()) {
        throw Error(ErrorKind::usage,
                    "-G asks for mode graph, which --mode leaves out; keep one of them");
      }
    });
  });
}

}  // namespace

void apply_case_options(const RunOptions& options, RunConfig& config) {
  apply_lists(options, config);
  apply_sizes(options, config);
  apply_graph(options, config);
}

}  // namespace viaduct
