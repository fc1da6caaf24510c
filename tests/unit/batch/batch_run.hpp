#pragma once
// One case on loopback ranks: opened, one batch, and what came of it on each rank.

#include "batch/case_runner.hpp"
#include "support/loopback_device.hpp"

#include <functional>
#include <string>
#include <vector>

namespace viaduct::loopback {

struct Scenario {
  int ranks = 2;
  OpenSpec open;
  BatchSpec batch;
  ChooseFault choose_fault;
};

struct Outcome {
  OpenResult opened;
  BatchResult batch;
  std::vector<std::string> trace;  ///< of the batch
  std::vector<void*> written;      ///< output of each operation of the batch, in order
  std::uint64_t taken = 0;         ///< bytes held while the case was open
};

inline Scenario run_of(const std::string& operation, std::uint64_t size_bytes) {
  Scenario run;
  run.open.c.operation = operation;
  run.open.c.size_bytes = size_bytes;
  run.open.slots = 4;
  run.batch.operations = 4;
  run.batch.lead_in_operations = 3;
  return run;
}

inline Outcome run_rank(const Scenario& run, World& world, int rank) {
  Rank self(world, rank);
  CaseRunner runner(self.device());
  Outcome outcome;
  bool is_batch = false;
  self.transport.choose_fault = [&](const Executed& executed) {
    if (is_batch) {
      outcome.written.push_back(executed.recv);
    }
    return run.choose_fault ? run.choose_fault(executed) : Fault::none;
  };
  outcome.opened = runner.open(run.open);
  outcome.taken = self.memory.taken;
  self.stream.trace.clear();
  is_batch = true;
  outcome.batch = runner.run(run.batch);
  outcome.trace = self.stream.trace;
  return outcome;
}

/// By rank.
inline std::vector<Outcome> run_all(const Scenario& run) {
  std::vector<Outcome> outcomes(static_cast<std::size_t>(run.ranks));
  run_ranks(run.ranks, [&](World& world, int rank) {
    outcomes[static_cast<std::size_t>(rank)] = run_rank(run, world, rank);
  });
  return outcomes;
}

}  // namespace viaduct::loopback
