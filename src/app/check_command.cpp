// viaduct check: a stored result against gates, for schedulers and CI.

#include "app/command_words.hpp"
#include "app/commands.hpp"
#include "app/output_file.hpp"
#include "core/error.hpp"
#include "gates/judge.hpp"
#include "gates/read_gates.hpp"
#include "report/gate_case.hpp"
#include "report/json_writer.hpp"
#include "report/junit_xml.hpp"
#include "report/result_reader.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace viaduct {
namespace {

std::string text_of(const std::string& file,
                    const GateSet& set,
                    const std::vector<GateVerdict>& gates) {
  std::size_t width = 0;
  for (const GateVerdict& gate : gates) {
    width = std::max(width, gate.name.size());
  }
  std::string text = fmt::format("{} against the gates of {}\n", file, set.name);
  for (const GateVerdict& gate : gates) {
    text += fmt::format("  {:<7}  {:<{}}  {}\n", name(gate.state), gate.name, width, gate.reason);
  }
  return text + summary_of(gates) + "\n";
}

void write_verdict(JsonWriter& json, const GateVerdict& gate) {
  json.begin_object();
  json.text_at("name", gate.name);
  json.text_at("kind", gate.kind);
  json.text_at("state", name(gate.state));
  json.flag_at("fails", gate.fails);
  json.text_at("reason", gate.reason);
  json.whole_at("rows", gate.rows);
  json.whole_at("rows_failed", gate.rows_failed);
  json.whole_at("rows_unclear", gate.rows_unclear);
  json.whole_at("rows_skipped", gate.rows_skipped);
  json.end();
}

std::string json_of(const std::string& file,
                    const GateSet& set,
                    const std::vector<GateVerdict>& gates,
                    ExitCode code) {
  JsonWriter json;
  json.begin_object();
  json.text_at("result", file);
  json.text_at("gates", set.name);
  json.flag_at("passed", code == ExitCode::ok);
  json.whole_at("exit_code", static_cast<int>(code));
  json.key("verdicts");
  json.begin_list();
  for (const GateVerdict& gate : gates) {
    write_verdict(json, gate);
  }
  json.end();
  json.end();
  return json.take() + "\n";
}

std::string junit_of(const Result& result,
                     const GateSet& set,
                     const std::vector<GateVerdict>& gates) {
  JunitSuite suite;
  suite.name = set.name;
  suite.properties = {{"result", result.file},
                      {"started_at", result.manifest.started_at},
                      {"viaduct_version", result.manifest.viaduct_version}};
  for (const GateVerdict& gate : gates) {
    suite.cases.push_back(junit_case(gate));
  }
  return junit_xml({suite});
}

}  // namespace

int check_command(const std::vector<std::string>& words) {
  CLI::App app("Judges a result against gates.", "viaduct check");
  std::string file;
  std::string gates_word;
  std::string junit_file;
  bool as_json = false;
  app.add_option("RESULT", file, "result file (.jsonl)")->required();
  app.add_option("--gates", gates_word, "file of gates (.json), or a name of viaduct list gates")
      ->required();
  app.add_option("--junit", junit_file, "file to write as JUnit XML, one test case for each gate");
  app.add_flag("--json", as_json, "one JSON document instead of words");
  if (!parse_command(app, words, "check")) {
    return 0;
  }
  refuse_to_overwrite("--junit", junit_file, {file, gates_word});
  const GateSet set = load_gates(gates_word);
  const Baselines baselines = read_baselines(set);
  const Result result = read_result(file);
  const std::vector<JudgedGate> judged = judge(set, result, baselines);
  const std::vector<GateVerdict> gates = verdicts_of(judged);
  const ExitCode code = exit_code(judged);
  if (!junit_file.empty()) {
    write_output_file("--junit", junit_of(result, set, gates), junit_file);
  }
  fmt::print("{}", as_json ? json_of(file, set, gates, code) : text_of(file, set, gates));
  return static_cast<int>(code);
}

}  // namespace viaduct
