#include "staged/staged_lane.hpp"

#include "core/error.hpp"
#include "mpi/mpi_types.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <sched.h>
#include <thread>
#include <utility>

namespace viaduct {

namespace {

using Clock = std::chrono::steady_clock;

/// How this rank waits between two looks. MPI moves data only while it is called: a rank that
/// sleeps with messages under way makes them slower, which would let it sleep the more. So it does
/// that only when none has ended for so long that another rank is late. Without messages the worker
/// fills or compares buffers, and the cores are others'.
class Pace {
 public:
  void has_moved() { quiet_since_ = Clock::now(); }

  void pause(bool has_messages) const {
    if (Clock::now() - quiet_since_ < (has_messages ? late_after : busy_time)) {
      sched_yield();
    } else {
      std::this_thread::sleep_for(nap);
    }
  }

 private:
  static constexpr std::chrono::milliseconds late_after{1000};
  static constexpr std::chrono::milliseconds busy_time{2};
  static constexpr std::chrono::microseconds nap{50};

  Clock::time_point quiet_since_ = Clock::now();
};

constexpr double join_deadline_s = 60;

/// A look at the socket and the process costs two system calls, and nothing is in a hurry there.
constexpr auto look_period = std::chrono::microseconds(100);

bool is_served(const Request& request) {
  return std::holds_alternative<OpenRequest>(request) ||
         std::holds_alternative<BatchRequest>(request);
}

/// The worker knows no MPI. Whether the case reduces it has said; what is not asked for by the case
/// stands at its default, which MPI can do.
void add_limits_of_mpi(const Case& c, CaseDescription& description) {
  if (description.skip_reason.empty() && description.reduces) {
    description.skip_reason = why_not_reduce(c.datatype, c.reduction);
  }
  if (!description.skip_reason.empty()) {
    description.legs.clear();
  }
}

}  // namespace

StagedLane::StagedLane(MPI_Comm parent, const StartWorker& start_worker)
    : parent_(parent),
      block_(staging::SharedBlock::create()),
      worker_(start_worker(block_.descriptor())) {}

/// Before the worker is asked: whatever becomes of it, every rank takes part. By the deadline of
/// the duplicate all ranks have come, so that the split can not block.
void StagedLane::join(const InitRequest& request) {
  server_.reset();
  comm_.reset();
  Communicator all(parent_, Deadline::after(join_deadline_s));
  if (request.group < 0) {
    comm_.emplace(std::move(all));
  } else {
    GroupMember member{.group = std::nullopt, .rank = request.rank};
    if (request.ranks > 0) {
      member.group = request.group;
    }
    comm_.emplace(Communicator::of_group(all.get(), member));
  }
  // The worker counts its tasks anew.
  block_.clear_tasks();
  if (request.ranks > 0) {
    server_.emplace(block_, comm_->get());
  }
}

void StagedLane::start(const Request& request) {
  if (std::holds_alternative<QuitRequest>(request)) {
    // Whether the worker follows or not: every rank is asked to end the lane in good order.
    is_ended_ = true;
  }
  if (const auto* init = std::get_if<InitRequest>(&request)) {
    join(*init);
  }
  may_have_tasks_ = server_ && is_served(request);
  const auto* describe = std::get_if<DescribeRequest>(&request);
  described_ = describe != nullptr ? describe->c : Case{};
  worker_->start(request);
}

Reply StagedLane::finish(Deadline deadline, const Abandon& abandon) {
  Reply reply = may_have_tasks_ && is_alive() ? serve_until_reply(deadline, abandon)
                                              : worker_->finish(deadline, abandon);
  if (auto* description = std::get_if<CaseDescription>(&reply)) {
    add_limits_of_mpi(described_, *description);
  }
  return reply;
}

Reply StagedLane::serve_until_reply(Deadline deadline, const Abandon& abandon) {
  Pace pace;
  Clock::time_point next_look = Clock::now();
  try {
    while (true) {
      if (server_->serve()) {
        pace.has_moved();
      }
      if (Clock::now() >= next_look) {
        if (auto reply = worker_->try_finish(deadline, abandon)) {
          return expect_nothing_left(std::move(*reply));
        }
        next_look = Clock::now() + look_period;
      }
      pace.pause(server_->under_way() > 0);
    }
  } catch (const Error& error) {
    const std::string waiting = server_->waiting_for();
    kill();
    if (waiting.empty()) {
      throw;
    }
    throw Error(error.kind(),
                fmt::format("{}; MPI has not ended: {}", error.message(), waiting),
                error.where());
  }
}

/// A worker that fails in the middle of an operation leaves its messages to the other ranks, which
/// would take them for those of the next one.
Reply StagedLane::expect_nothing_left(Reply reply) {
  if (server_->under_way() == 0) {
    return reply;
  }
  const auto* failure = std::get_if<Failure>(&reply);
  throw Error(failure != nullptr ? failure->kind : ErrorKind::lost,
              failure != nullptr ? failure->message
                                 : fmt::format("worker of path {} answered before its messages "
                                               "had ended",
                                               path()));
}

void StagedLane::kill() noexcept {
  worker_->kill();
  if (is_ended_) {
    return;
  }
  is_ended_ = true;
  if (server_ && !server_->give_up()) {
    block_.leave_mapped();
  }
  if (comm_) {
    comm_->abandon();
  }
}

}  // namespace viaduct
