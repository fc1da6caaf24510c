#pragma once
// Cases on the staged transport: what the runner of cases does, and the time of each leg by itself.
// Must not know CUDA, MPI or sockets.

#include "batch/case_runner.hpp"
#include "staging/staged_transport.hpp"
#include "transport/host_timeline.hpp"
#include "transport/memory.hpp"

#include <vector>

namespace viaduct::staging {

class StagedCases {
 public:
  /// Block, copies and memory outlive this. What `memory` does must have ended when its calls
  /// return: copies do not wait for it.
  StagedCases(const SharedBlock& block,
              DeviceCopies& copies,
              Memory& memory,
              const StagedTransport::Place& place);

  CaseDescription describe(const Case& c, const BufferSpec& buffers, Method method);

  /// Throws as CaseRunner does.
  OpenResult open(const OpenSpec& spec) { return runner_.open(spec); }

  /// Ranks that run a batch run it together: it ends with one operation for each leg.
  BatchResult batch(const BatchSpec& spec);

  void close() { runner_.close(); }

 private:
  double leg_us(const Legs& legs);

  Memory& memory_;
  HostTimeline timeline_;
  StagedTransport transport_;
  CaseRunner runner_;
};

}  // namespace viaduct::staging
