#include "core/gate_verdict.hpp"

#include "core/name_table.hpp"

namespace viaduct {
namespace {

constexpr Named<GateState> gate_states[] = {
    {GateState::passed, "passed"},
    {GateState::failed, "failed"},
    {GateState::unclear, "unclear"},
    {GateState::skipped, "skipped"},
};

}  // namespace

const char* name(GateState state) {
  return name_in(gate_states, state);
}

GateState parse_gate_state(std::string_view text) {
  return value_in<GateState>(gate_states, "state of a gate", text);
}

}  // namespace viaduct
