#include "config/run_arguments.hpp"

#include "config/case_options.hpp"
#include "config/limits.hpp"
#include "config/operation_engine.hpp"
#include "config/option_reading.hpp"
#include "config/option_sizes.hpp"
#include "config/option_values.hpp"
#include "config/pairs_options.hpp"
#include "config/plan.hpp"
#include "config/run_options.hpp"
#include "config/run_settings.hpp"
#include "core/copy_operation.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace viaduct {

namespace {

/// Every word later stands in a result file, whose text is UTF-8.
void expect_utf8(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    try {
      static_cast<void>(nlohmann::json(words[i]).dump());
    } catch (const nlohmann::json::exception&) {
      throw Error(ErrorKind::usage, fmt::format("word {} after run is not UTF-8 text", i + 1));
    }
  }
}

bool is_plan_word(const std::string& word) {
  const std::vector<PlanEntry> plans = embedded_plans();
  const auto is_it = [&word](const PlanEntry& entry) { return entry.name == word; };
  return word.find('/') != std::string::npos || word.ends_with(".json") ||
         std::any_of(plans.begin(), plans.end(), is_it);
}

void expect_known(const std::vector<std::string>& operations,
                  const std::vector<std::string>& known,
                  const std::string& origin) {
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (std::find(known.begin(), known.end(), operations[i]) == known.end()) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}/operations/{}: {}",
                              origin,
                              i,
                              unknown_name_message("operation", operations[i], known)));
    }
  }
}

void expect_known_blocks(const std::vector<CaseBlock>& blocks,
                         const std::vector<std::string>& known,
                         const std::string& origin) {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    expect_known(blocks[i].operations, known, fmt::format("{}/cases/{}", origin, i));
  }
}

RunConfig config_of_plan(const std::string& word, const std::vector<std::string>& known) {
  RunConfig config = load_plan(word);
  expect_known_blocks(config.blocks, known, word + ": ");
  for (const EngineSection& section : config.engine_sections) {
    expect_known_blocks(
        section.blocks, known, fmt::format("{}: /engines/{}", word, name(section.engine)));
  }
  return config;
}

std::vector<std::string> split_names(const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const std::string& word : words) {
    for (const std::string& part : word_list("names", word)) {
      names.push_back(part);
    }
  }
  return names;
}

void expect_collective(const std::string& word, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), word) != known.end()) {
    return;
  }
  std::vector<std::string> all = known;
  for (const PlanEntry& entry : embedded_plans()) {
    all.push_back(entry.name);
  }
  throw Error(ErrorKind::usage, unknown_name_message("collective or plan", word, all));
}

RunConfig config_of_names(const std::vector<std::string>& words,
                          const std::vector<std::string>& known) {
  const auto plan = std::find_if(words.begin(), words.end(), is_plan_word);
  if (plan != words.end() && words.size() > 1) {
    throw Error(
        ErrorKind::usage,
        fmt::format("'{}' is a plan and stands alone; it cannot be mixed with other names", *plan));
  }
  if (plan != words.end()) {
    return config_of_plan(*plan, with_copy_operations(known));
  }
  if (words.empty()) {
    throw Error(ErrorKind::usage,
                "no case: name a plan (viaduct run quick) or collectives (viaduct run all_reduce "
                "-b 8 -e 1G)");
  }
  CaseBlock block;
  std::vector<std::string> names = split_names(words);
  const bool wants_copies = names == std::vector<std::string>{"copies"};
  if (wants_copies) {
    names = copy_operation_names();
  } else if (names == std::vector<std::string>{"all"}) {
    names = known;
  }
  const std::vector<std::string> every = with_copy_operations(known);
  for (const std::string& name : names) {
    expect_collective(name, every);
    if (std::find(block.operations.begin(), block.operations.end(), name) ==
        block.operations.end()) {
      block.operations.push_back(name);
    }
  }
  block.sizes_bytes = find_copy_operation(block.operations.front()) != nullptr
                          ? default_copy_sizes()
                          : default_sizes();
  RunConfig config;
  config.blocks.push_back(std::move(block));
  return config;
}

/// The words without -g and -t and their values: what the right launch line goes on with.
std::string words_without_gpus(const std::vector<std::string>& words) {
  std::string text;
  bool skips_value = false;
  for (const std::string& word : words) {
    const bool is_long = word.starts_with("--ngpus") || word.starts_with("--nthreads");
    const bool is_short =
        !word.starts_with("--") && (word.starts_with("-g") || word.starts_with("-t"));
    const bool has_value_inside = is_long ? word.find('=') != std::string::npos : word.size() > 2;
    if (!skips_value && !is_long && !is_short) {
      text += " " + word;
    }
    skips_value = !skips_value && (is_long || is_short) && !has_value_inside;
  }
  return text;
}

void refuse_many_gpus(const RunOptions& options, const std::vector<std::string>& words) {
  std::uint64_t gpus = 1;
  std::string given;
  for (const char* key : {"ngpus", "nthreads"}) {
    with_option(options, key, [&](const std::string& text) {
      const std::uint64_t number = whole_number(option_name(key), text, 1, limits::ranks);
      gpus *= number;
      given += number > 1
                   ? fmt::format("{}{} {}", given.empty() ? "" : " ", option_name(key), number)
                   : "";
    });
  }
  if (gpus > 1) {
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "{}: one rank drives one GPU here; start one rank per GPU: mpirun -n {} viaduct run{}",
            given,
            gpus,
            words_without_gpus(words)));
  }
}

}  // namespace

RunArguments parse_run_arguments(const std::vector<std::string>& words,
                                 const std::vector<std::string>& known_operations) {
  expect_utf8(words);
  const RunOptions options = read_run_options(words);
  RunArguments arguments;
  arguments.help_wanted = options.help_wanted;
  arguments.help = options.help;
  if (options.help_wanted) {
    return arguments;
  }
  refuse_many_gpus(options, words);
  RunConfig config = asks_for_pairs(options) ? config_of_pairs(options, known_operations)
                                             : config_of_names(options.names, known_operations);
  apply_case_options(options, config);
  apply_run_settings(options, config);
  arguments.config = std::move(config);
  return arguments;
}

}  // namespace viaduct
