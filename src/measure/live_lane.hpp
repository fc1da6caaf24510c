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
  int lost_rank = -1;  ///< which the reason names

  bool has_come_up = false;  ///< its communicator stood once; the same on every rank
  bool was_rebuilt = false;  ///< this is its second life: the next loss is final

  [[nodiscard]] bool is_live() const { return lost_reason.empty(); }

  /// "path socket is lost: rank 3 on node7: ...".
  [[nodiscard]] std::string loss_warning() const {
    const char* what = lost_kind == ErrorKind::refused ? " cannot run here: " : " is lost: ";
    return "path " + path.name + what + lost_reason;
  }

  [[nodiscard]] std::string restart_warning() const {
    return "path " + path.name + " was started again after its loss";
  }

  /// Whether a new start may help. What never came up, or was refused, would fail the same way; and
  /// MPI's own state does not survive a failure.
  [[nodiscard]] bool may_be_rebuilt() const {
    return !is_live() && has_come_up && !was_rebuilt && lost_kind != ErrorKind::refused &&
           path.engine != Engine::mpi;
  }
};

}  // namespace viaduct
