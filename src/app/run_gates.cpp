#include "app/run_gates.hpp"

namespace viaduct {

LoadedGates load_run_gates(const GateSource& source) {
  LoadedGates gates;
  if (!source.text.empty()) {
    const nlohmann::json document = parse_json(source.text, source.origin);
    gates.set = read_gates(JsonPlace(document, source.origin, source.pointer));
  } else if (!source.word.empty()) {
    gates.set = load_gates(source.word);
  }
  gates.baselines = read_baselines(gates.set);
  return gates;
}

GatesOutcome judge_run(const LoadedGates& gates, const Result& result) {
  GatesOutcome outcome;
  if (gates.set.gates.empty()) {
    return outcome;
  }
  const std::vector<JudgedGate> judged =
      judge(gates.set, result, gates.baselines, RunState::under_way);
  outcome.verdicts = verdicts_of(judged);
  outcome.code = exit_code(judged);
  outcome.reason = outcome.code == ExitCode::ok ? "" : summary_of(outcome.verdicts);
  return outcome;
}

}  // namespace viaduct
