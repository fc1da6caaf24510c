#pragma once
// One step of the life of lanes: the same request on every rank, an answer in time or the lane is
// lost for all. Every rank makes the same calls in the same order; no measuring and no records
// here.

#include "control/control.hpp"
#include "measure/live_lane.hpp"
#include "measure/options.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace viaduct {

/// What came of a request on this rank.
struct LocalAnswer {
  /// Which of several failures is named first: what broke by itself before what broke because of
  /// it.
  enum class Rank : int { cause = 0, report = 1, consequence = 2 };

  std::optional<Reply> reply;  ///< of the type that belongs to the request; empty: failed
  std::string failure;
  ErrorKind kind = ErrorKind::lost;
  Rank rank = Rank::cause;

  [[nodiscard]] bool has_failed() const { return !reply.has_value(); }

  /// The answer came, and it makes no sense.
  void reject(const std::string& why);
};

struct StepRules {
  double grace_s = 2;     ///< a rank waits so long for its own worker after another rank gave up
  double control_s = 60;  ///< for agreement, beyond what the step may take
  std::string host;       ///< of this rank, for reasons
  std::uint64_t first_step = 0;
};

struct LaneRequest {
  LiveLane* lane = nullptr;
  Request request;
  bool is_asked = true;  ///< false: this rank's group has no part in it and answers Done unasked
};

class Steps {
 public:
  Steps(Control& control, StepRules rules)
      : control_(control),
        rules_(std::move(rules)),
        step_(rules_.first_step) {}

  /// Starts every request, then waits for every answer, all until the same deadline. Does not agree
  /// yet: only the alarm goes out when a request fails here. Throws Error(interrupted), never for a
  /// failed lane.
  std::vector<LocalAnswer> exchange(const std::vector<LaneRequest>& requests, double limit_s);

  /// The same for one lane.
  LocalAnswer exchange(const LaneRequest& request, double limit_s);

  /// For ranks that take no part in an exchange(): keeps the count of steps equal.
  void skip(std::size_t requests) { step_ += requests; }

  /// Agreed before: the lane has failed on some rank. Spreads who and why, ends the lane on this
  /// rank.
  void lose(LiveLane& lane, const LocalAnswer& local);

  /// exchange(), then agreement. An entry is empty where the lane was lost on any rank.
  std::vector<std::optional<Reply>> run(const std::vector<LaneRequest>& requests, double limit_s);

  /// By when agreement about a step with this limit must be reached: the slowest rank may use all
  /// of it.
  [[nodiscard]] Deadline agreement_deadline(double limit_s = 0) const;

  [[nodiscard]] Control& control() const { return control_; }

 private:
  LocalAnswer wait(LiveLane& lane, const Request& request, Deadline deadline, std::uint64_t step);
  [[nodiscard]] std::string place(const LiveLane& lane) const;

  Control& control_;
  StepRules rules_;
  std::uint64_t step_;
};

}  // namespace viaduct
