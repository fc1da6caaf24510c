#include "gates/gate.hpp"

#include "core/name_table.hpp"

namespace viaduct {
namespace {

constexpr Named<GateKind> gate_kinds[] = {
    {GateKind::absolute, "absolute"},
    {GateKind::limit, "limit"},
    {GateKind::baseline, "baseline"},
    {GateKind::ratio, "ratio"},
    {GateKind::wrong, "wrong"},
    {GateKind::evidence, "evidence"},
};

constexpr Named<Metric> metrics[] = {
    {Metric::time_us, "time_us"},
    {Metric::algbw_gbs, "algbw_gbs"},
    {Metric::busbw_gbs, "busbw_gbs"},
};

}  // namespace

const char* name(GateKind kind) {
  return name_in(gate_kinds, kind);
}

const char* name(Metric metric) {
  return name_in(metrics, metric);
}

}  // namespace viaduct
