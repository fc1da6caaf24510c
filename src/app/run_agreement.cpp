#include "app/run_agreement.hpp"

#include "app/build_info.hpp"
#include "app/pairs_run.hpp"
#include "app/rank_facts.hpp"
#include "app/session_plan.hpp"
#include "collectives/collective.hpp"
#include "config/run_arguments.hpp"
#include "core/error.hpp"
#include "probe/host.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace viaduct {

namespace {

constexpr double agree_s = 60;  // small agreements between ranks

void check_engine(const Agreed& agreed) {
  if (agreed.engine != Engine::mpi) {
    sibling_program("viaduct-worker");
  }
  if (agreed.engine == Engine::mpi && agreed.paths.size() != 1) {
    throw Error(
        ErrorKind::usage,
        fmt::format("the mpi engine reads its path at MPI_Init, so one launch has one path, not "
                    "{}: name one with "
                    "--paths, or let `viaduct launch -n N -- run ...` start one mpirun for each",
                    agreed.paths.size()));
  }
}

/// Configuration, help or error of rank 0 as one text; loads the gates, opens the result file.
std::string read_on_first_rank(const RankSetting& setting,
                               std::unique_ptr<ResultSink>& sink,
                               LoadedGates& gates) {
  nlohmann::json json;
  try {
    Agreed agreed;
    agreed.config = read_config(setting.words, &agreed.help);
    if (agreed.help.empty()) {
      const bool has_gpu = visible_gpus(setting.gpus, visible_devices(setting.inherited)) > 0;
      agreed.engine = resolve_engine(agreed.config, has_gpu);
      agreed.config = for_engine(std::move(agreed.config), agreed.engine);
      agreed.config.engine = choice_of(agreed.engine);
      agreed.paths = resolve_paths(agreed.config, agreed.engine);
      check_engine(agreed);
      expect_patterns(agreed.config, agreed.engine);
      expand_cases(agreed.config,
                   ExpandRules{.engine = agreed.engine, .ranks = setting.control.size()},
                   &traits_of);
      gates = load_run_gates(agreed.config.gates);
      sink = std::make_unique<ResultSink>(SinkOptions{
          agreed.config.out_dir, result_name(agreed.config), agreed.config.quiet, setting.started});
    }
    json = {{"config", to_text(agreed.config)}, {"help", agreed.help}};
  } catch (const Error& error) {
    json = {{"kind", static_cast<int>(error.kind())}, {"error", error.message()}};
  }
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void expect_same_words(const std::vector<std::string>& words) {
  const auto other = std::find_if(
      words.begin(), words.end(), [&words](const std::string& one) { return one != words[0]; });
  if (other != words.end()) {
    throw Error(
        ErrorKind::refused,
        fmt::format("rank {} was started with '{}', rank 0 with '{}': every rank must get the "
                    "same words",
                    other - words.begin(),
                    *other,
                    words[0]));
  }
}

Agreed agreed_of(const nlohmann::json& json) {
  Agreed agreed;
  agreed.config = run_config_from_text(json.at("config").get<std::string>());
  agreed.help = json.at("help").get<std::string>();
  if (agreed.help.empty()) {
    agreed.engine = resolve_engine(agreed.config, false);
    agreed.paths = resolve_paths(agreed.config, agreed.engine);
  }
  return agreed;
}

/// The variables of the mpi engine's path must have been there at MPI_Init on every rank.
std::string path_variable_missing(const PathSpec& path) {
  for (const auto& [variable, value] : path.set) {
    const char* found = std::getenv(variable.c_str());
    if (found == nullptr || value != found) {
      return fmt::format("{}={} was not set at MPI_Init on host {}", variable, value, host_name());
    }
  }
  return "";
}

}  // namespace

bool is_block(const std::vector<std::string>& words) {
  return words.size() == 2 && words[0] == "--from-config";
}

Agreed agree_on_run(const RankSetting& setting,
                    std::unique_ptr<ResultSink>& sink,
                    LoadedGates& gates) {
  Control& control = setting.control;
  const std::string verdict = control.rank() == 0 ? read_on_first_rank(setting, sink, gates) : "";
  const auto json = nlohmann::json::parse(control.broadcast(verdict, 0, Deadline::after(agree_s)));
  const std::string own_words = fmt::format("{}", fmt::join(setting.words, " "));
  const auto words = control.all_gather(own_words, Deadline::after(agree_s));
  if (json.contains("error")) {
    throw Error(static_cast<ErrorKind>(json.at("kind").get<int>()),
                json.at("error").get<std::string>());
  }
  expect_same_words(words);
  return agreed_of(json);
}

void expect_path_variables(Control& control, const PathSpec& path) {
  const std::string missing = path_variable_missing(path);
  for (const std::string& text : control.all_gather(missing, Deadline::after(agree_s))) {
    if (!text.empty()) {
      throw Error(
          ErrorKind::refused,
          fmt::format(
              "path {}: {}; start it with `viaduct launch`, which passes it on", path.name, text));
    }
  }
}

RunConfig read_config(const std::vector<std::string>& words, std::string* help) {
  if (is_block(words)) {
    std::ifstream in(words[1]);
    std::stringstream text;
    text << in.rdbuf();
    if (!in) {
      throw Error(ErrorKind::usage, fmt::format("cannot read {}", words[1]));
    }
    return run_config_from_text(text.str());
  }
  const RunArguments arguments = parse_run_arguments(words, collectives::names());
  if (arguments.help_wanted) {
    *help = arguments.help;
  }
  return arguments.config;
}

}  // namespace viaduct
