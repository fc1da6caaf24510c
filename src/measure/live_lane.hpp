#pragma once
// One lane as the session holds it: this rank's end, and what all ranks agree on about it. Knows
// nothing of cases.

#include "core/error.hpp"
#include "core/path_spec.hpp"
#include "lane/lane.hpp"

#include <memory>
#include <optional>
#include <string>

namespace viaduct {

struct LiveLane {
  PathSpec path;
  std::unique_ptr<Lane> lane;  ///< empty: this rank could not make it, start_failure says why
  std::optional<Error> start_failure;
  HelloReply hello;  ///< of this rank's worker
  InitReply init;

  /// Empty while the lane lives; the same on every rank: "rank 3 on node7: ...".
  std::string lost_reason;
  ErrorKind lost_kind = ErrorKind::lost;

  [[nodiscard]] bool is_live() const { return lost_reason.empty(); }
};

}  // namespace viaduct
