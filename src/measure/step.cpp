#include "measure/step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace viaduct {

namespace {

/// For an answer that came while an earlier lane of the same step used up the time.
constexpr double late_answer_s = 1;

/// Whether the reply's type is the one that belongs to the request.
struct BelongsTo {
  const Reply& reply;

  template <typename T>
  [[nodiscard]] bool holds() const {
    return std::holds_alternative<T>(reply);
  }

  bool operator()(const HelloRequest&) const { return holds<HelloReply>(); }

  bool operator()(const MakeIdRequest&) const { return holds<MakeIdReply>(); }

  bool operator()(const InitRequest&) const { return holds<InitReply>(); }

  bool operator()(const DescribeRequest&) const { return holds<CaseDescription>(); }

  bool operator()(const OpenRequest&) const { return holds<OpenResult>(); }

  bool operator()(const BatchRequest&) const { return holds<BatchResult>(); }

  bool operator()(const CloseRequest&) const { return holds<Done>(); }

  bool operator()(const QuitRequest&) const { return holds<Done>(); }
};

/// Asked while a reply is awaited: true once another rank has lost the step and the grace is over.
class AlarmWatch {
 public:
  AlarmWatch(Control& control, std::uint64_t step, double grace_s)
      : control_(control),
        step_(step),
        grace_s_(grace_s) {}

  bool has_given_up() {
    if (!until_ && control_.alarm_raised(step_)) {
      until_ = Deadline::after(grace_s_);
    }
    given_up_ = until_ && until_->has_passed();
    return given_up_;
  }

  /// This rank failed because another one did.
  [[nodiscard]] bool was_alarmed() const { return until_.has_value(); }

 private:
  Control& control_;
  std::uint64_t step_;
  double grace_s_;
  std::optional<Deadline> until_;
  bool given_up_ = false;
};

LocalAnswer failed(ErrorKind kind, std::string message, LocalAnswer::Rank rank) {
  LocalAnswer answer;
  answer.failure = std::move(message);
  answer.kind = kind;
  answer.rank = rank;
  return answer;
}

LocalAnswer judge(const Request& request, Reply reply) {
  if (const auto* failure = std::get_if<Failure>(&reply)) {
    return failed(failure->kind, failure->message, LocalAnswer::Rank::report);
  }
  LocalAnswer answer;
  answer.reply = std::move(reply);
  if (!std::visit(BelongsTo{*answer.reply}, request)) {
    answer.reject(fmt::format("an answer of another kind came in phase {}", phase(request)));
  }
  return answer;
}

/// How one rank's failure travels: "<rank of cause><kind> <text>"; empty when it did not fail.
std::string pack(const LocalAnswer& answer, const std::string& place) {
  if (!answer.has_failed()) {
    return {};
  }
  return fmt::format("{} {} {}: {}",
                     static_cast<int>(answer.rank),
                     static_cast<int>(answer.kind),
                     place,
                     answer.failure);
}

struct Spread {
  int order = 0;
  ErrorKind kind = ErrorKind::lost;
  std::string text;
  int rank = -1;  ///< that failed
};

Spread unpack(const std::string& packed) {
  const auto first = packed.find(' ');
  const auto second = packed.find(' ', first + 1);
  if (first == std::string::npos || second == std::string::npos) {
    throw Error(ErrorKind::internal, "a failure came torn from another rank: '" + packed + "'");
  }
  return {.order = std::stoi(packed.substr(0, first)),
          .kind = static_cast<ErrorKind>(std::stoi(packed.substr(first + 1, second - first - 1))),
          .text = packed.substr(second + 1)};
}

/// The failure to name: the first rank among those nearest to the cause.
Spread first_cause(const std::vector<std::string>& packed) {
  std::optional<Spread> first;
  std::size_t like_it = 0;
  for (std::size_t rank = 0; rank < packed.size(); ++rank) {
    if (packed[rank].empty()) {
      continue;
    }
    Spread next = unpack(packed[rank]);
    next.rank = static_cast<int>(rank);
    if (!first || next.order < first->order) {
      first = std::move(next);
      like_it = 0;
    } else if (next.order == first->order) {
      ++like_it;
    }
  }
  if (!first) {
    throw Error(ErrorKind::internal, "a lane failed, but no rank says why");
  }
  if (like_it > 0 && first->order != static_cast<int>(LocalAnswer::Rank::consequence)) {
    first->text += fmt::format(" (and {} more rank{})", like_it, like_it == 1 ? "" : "s");
  }
  return *first;
}

}  // namespace

void LocalAnswer::reject(const std::string& why) {
  reply.reset();
  failure = why;
  kind = ErrorKind::lost;
  rank = Rank::cause;
}

LocalAnswer Steps::exchange(const LaneRequest& request, double limit_s) {
  return std::move(exchange(std::vector{request}, limit_s).front());
}

std::vector<LocalAnswer> Steps::exchange(const std::vector<LaneRequest>& requests, double limit_s) {
  const std::uint64_t first_step = step_;
  step_ += requests.size();
  std::vector<LocalAnswer> answers(requests.size());
  std::vector<bool> is_started(requests.size(), false);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (!requests[i].is_asked) {
      answers[i].reply = Done{};
      continue;
    }
    const LiveLane& lane = *requests[i].lane;
    try {
      if (!lane.lane) {
        throw lane.start_failure.value_or(Error(ErrorKind::internal, "the lane was never made"));
      }
      lane.lane->start(requests[i].request);
      is_started[i] = true;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::interrupted) {
        throw;
      }
      answers[i] = failed(error.kind(), error.message(), LocalAnswer::Rank::cause);
    }
  }
  const Deadline deadline = Deadline::after(limit_s);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const std::uint64_t step = first_step + i;
    if (is_started[i]) {
      const Deadline own = deadline.has_passed() ? Deadline::after(late_answer_s) : deadline;
      answers[i] = wait(*requests[i].lane, requests[i].request, own, step);
    }
    if (answers[i].has_failed() && answers[i].rank != LocalAnswer::Rank::consequence) {
      control_.raise_alarm(step);
    }
  }
  return answers;
}

LocalAnswer Steps::wait(LiveLane& lane,
                        const Request& request,
                        Deadline deadline,
                        std::uint64_t step) {
  AlarmWatch watch(control_, step, rules_.grace_s);
  try {
    return judge(request, lane.lane->finish(deadline, [&watch] { return watch.has_given_up(); }));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) {
      throw;
    }
    const auto rank =
        watch.was_alarmed() ? LocalAnswer::Rank::consequence : LocalAnswer::Rank::cause;
    return failed(error.kind(), error.message(), rank);
  }
}

void Steps::lose(LiveLane& lane, const LocalAnswer& local) {
  const auto texts = control_.all_gather(pack(local, place(lane)), agreement_deadline());
  Spread cause = first_cause(texts);
  if (lane.was_rebuilt) {
    cause.text += "; the lane had been started again after a loss and is given up now";
  }
  lane.lost_reason = std::move(cause.text);
  lane.lost_kind = cause.kind;
  lane.lost_rank = cause.rank;
  if (lane.lane) {
    lane.lane->kill();
  }
}

std::vector<std::optional<Reply>> Steps::run(const std::vector<LaneRequest>& requests,
                                             double limit_s) {
  if (requests.empty()) {
    return {};
  }
  std::vector<LocalAnswer> answers = exchange(requests, limit_s);
  std::vector<double> flags;
  for (const LocalAnswer& answer : answers) {
    flags.push_back(answer.has_failed() ? 1.0 : 0.0);
  }
  flags = control_.max(flags, agreement_deadline(limit_s));
  std::vector<std::optional<Reply>> replies(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (flags[i] > 0) {
      lose(*requests[i].lane, answers[i]);
    } else {
      replies[i] = std::move(answers[i].reply);
    }
  }
  return replies;
}

Deadline Steps::agreement_deadline(double limit_s) const {
  return Deadline::after(limit_s + rules_.grace_s + rules_.control_s);
}

std::string Steps::place(const LiveLane& lane) const {
  std::string text = fmt::format("rank {}", control_.rank());
  if (!rules_.host.empty()) {
    text += " on " + rules_.host;
  }
  if (!lane.hello.bus_id.empty()) {
    text += fmt::format(" (GPU {} {})", lane.hello.device, lane.hello.bus_id);
  }
  return text;
}

}  // namespace viaduct
