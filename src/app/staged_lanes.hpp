#pragma once
// Makes the lanes of staged paths on a rank, and keeps the communicators that they talk on.

#include "mpi/communicator.hpp"
#include "staged/staged_lane.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace viaduct {

class StagedLanes {
 public:
  /// A lane among the ranks with the same number `group`; empty: among all. Collective over all
  /// ranks at the first lane of a path, and only then: two communicators are made, for its first
  /// life and for the one after a loss. What was under way when a lane was lost stays on the
  /// communicator of that life, where no later operation meets it. Throws Error(lost) when both
  /// are used up.
  std::unique_ptr<Lane> make(const std::string& path,
                             std::optional<int> group,
                             const StagedLane::StartWorker& start_worker);

 private:
  struct GroupComm {
    explicit GroupComm(std::optional<int> group);

    Communicator world;  ///< by its deadline all ranks have come, so that the split can not block
    Communicator comm;
  };

  static constexpr std::size_t lives = 2;

  std::map<std::string, std::vector<std::unique_ptr<GroupComm>>> comms_;  ///< by path
};

}  // namespace viaduct
