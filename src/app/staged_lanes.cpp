#include "app/staged_lanes.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace viaduct {

namespace {

constexpr double join_deadline_s = 60;

/// Everybody, where there are no groups.
constexpr int one_group = 0;

}  // namespace

StagedLanes::GroupComm::GroupComm(std::optional<int> group)
    : world(MPI_COMM_WORLD, Deadline::after(join_deadline_s)),
      comm(Communicator::of_group(world.get(), group.value_or(one_group))) {}

std::unique_ptr<Lane> StagedLanes::make(const std::string& path,
                                        std::optional<int> group,
                                        const StagedLane::StartWorker& start_worker) {
  auto& own = comms_[path];
  while (own.size() < lives) {
    own.push_back(std::make_unique<GroupComm>(group));
  }
  const auto unused = std::find_if(
      own.begin(), own.end(), [](const auto& each) { return each->comm.get() != MPI_COMM_NULL; });
  if (unused == own.end()) {
    throw Error(ErrorKind::lost,
                fmt::format("path {} was lost {} times; what MPI still has under way for it would "
                            "meet the messages of a further start",
                            path,
                            lives));
  }
  return std::make_unique<StagedLane>((*unused)->comm, start_worker);
}

}  // namespace viaduct
