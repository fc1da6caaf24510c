#include "staging/staged_cases.hpp"

#include <chrono>

namespace viaduct::staging {

namespace {

using Clock = std::chrono::steady_clock;

/// In the order of leg_names.
constexpr Legs single_legs[] = {{.down = true, .mpi = false, .up = false},
                                {.down = false, .mpi = true, .up = false},
                                {.down = false, .mpi = false, .up = true}};
constexpr const char* leg_names = "device_to_host,mpi,host_to_device";

/// All legs again when it ends.
class LegChoice {
 public:
  LegChoice(StagedTransport& transport, const Legs& legs) : transport_(transport) {
    transport_.set_legs(legs);
  }

  ~LegChoice() { transport_.set_legs(Legs{}); }

  LegChoice(const LegChoice&) = delete;
  LegChoice& operator=(const LegChoice&) = delete;

 private:
  StagedTransport& transport_;
};

}  // namespace

StagedCases::StagedCases(const SharedBlock& block,
                         DeviceCopies& copies,
                         Memory& memory,
                         const StagedTransport::Place& place)
    : memory_(memory),
      transport_(block, copies, place),
      runner_(Device{transport_, memory_, timeline_}) {}

CaseDescription StagedCases::describe(const Case& c, const BufferSpec& buffers, Method method) {
  CaseDescription description =
      describe_case(Device{transport_, memory_, timeline_}, c, buffers, method);
  if (c.mode == Mode::graph) {
    description.skip_reason =
        "MPI between the copies cannot be part of a CUDA graph; path staged has the modes stream "
        "and each";
  }
  if (description.skip_reason.empty()) {
    description.legs = leg_names;
  }
  return description;
}

BatchResult StagedCases::batch(const BatchSpec& spec) {
  BatchResult result = runner_.run(spec);
  for (const Legs& legs : single_legs) {
    result.legs_us.push_back(leg_us(legs));
  }
  return result;
}

/// Of one operation, the others left out, from when all ranks are ready. The copies are real ones,
/// of whatever the slots hold: the next checked batch fills its buffers again.
double StagedCases::leg_us(const Legs& legs) {
  transport_.line_up();
  const LegChoice choice(transport_, legs);
  const Clock::time_point start = Clock::now();
  runner_.run_again();
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

}  // namespace viaduct::staging
