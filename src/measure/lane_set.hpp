#pragma once
// All lanes that are open at the same time on this rank: brought up together, ended together. Knows
// nothing of cases.

#include "core/group_map.hpp"
#include "measure/live_lane.hpp"
#include "measure/session.hpp"
#include "measure/step.hpp"

#include <string>
#include <vector>

namespace viaduct {

struct BringUp {
  const SessionHooks& hooks;
  const MeasureOptions& options;
  const GroupMap& groups;
  bool is_first = true;         ///< the first launch of the lanes: hooks are asked
  std::string cpus;             ///< of a launch before
  int max_p2p_peers = 0;        ///< see InitRequest
  bool rebuilds_again = false;  ///< rebuild() may start a lane more than once
};

class LaneSet {
 public:
  LaneSet(Steps& steps, const std::vector<PathSpec>& paths);

  /// Kills what has not been ended by quit().
  ~LaneSet();

  LaneSet(const LaneSet&) = delete;
  LaneSet& operator=(const LaneSet&) = delete;

  /// Every lane says hello, gets its group's id and joins its communicator, all lanes at once. A
  /// lane that fails on any rank is lost on all and keeps the reason. Returns the CPU list of this
  /// rank's workers. Throws Error(refused) when every lane refuses the first launch, and what
  /// check_hello throws.
  std::string bring_up(const BringUp& how);

  /// Starts the lanes again that were lost after they had come up, each once (see
  /// BringUp::rebuilds_again): new workers, a new
  /// communicator. The others are not touched. Returns the places of those it tried; a lane that
  /// fails again is lost for good. Hooks are not asked but for the lanes themselves.
  std::vector<std::size_t> rebuild(const BringUp& how);

  /// Live lanes leave their communicators and join those of `how.groups`; workers stay. A lane that
  /// fails on any rank is lost on all.
  void regroup(const BringUp& how) { open(live_lanes(), how, how.cpus); }

  /// A lost lane that is not to be rebuilt.
  void give_up(std::size_t lane);

  /// Ends the live lanes in good order; one that does not follow is killed.
  void quit();

  [[nodiscard]] std::size_t size() const { return lanes_.size(); }

  [[nodiscard]] std::size_t live() const;

  [[nodiscard]] LiveLane& operator[](std::size_t lane) { return lanes_[lane]; }

 private:
  using Lanes = std::vector<LiveLane*>;

  static void make(const Lanes& lanes, const LaneFactory& factory);
  void open(const Lanes& lanes, const BringUp& how, const std::string& cpus);
  void say_hello(const Lanes& lanes, const BringUp& how);
  std::vector<std::string> make_ids(const Lanes& asked, const GroupMap& groups, double limit_s);
  void init(const Lanes& asked,
            const BringUp& how,
            const std::vector<std::string>& ids,
            const std::string& cpus);
  [[nodiscard]] Lanes live_lanes();

  Steps& steps_;
  std::vector<LiveLane> lanes_;
};

}  // namespace viaduct
