#include "measure/lane_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace viaduct {

namespace {

constexpr double quit_limit_s = 10;
constexpr double end_limit_s = 5;

/// Ids and failures of one rank in one text: one line for each lane, '+' and the id or '-' and the
/// reason.
std::string pack_ids(const std::vector<LocalAnswer>& answers) {
  std::string text;
  for (const LocalAnswer& answer : answers) {
    std::string line =
        answer.has_failed() ? "-" + answer.failure : "+" + std::get<MakeIdReply>(*answer.reply).id;
    std::replace(line.begin(), line.end(), '\n', ' ');
    text += line + '\n';
  }
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t at = 0;
  for (auto end = text.find('\n'); end != std::string::npos; end = text.find('\n', at)) {
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::vector<LaneRequest> same_request(const std::vector<LiveLane*>& lanes, const Request& request) {
  std::vector<LaneRequest> requests;
  for (LiveLane* lane : lanes) {
    requests.push_back({.lane = lane, .request = request});
  }
  return requests;
}

std::vector<LiveLane*> only_live(const std::vector<LiveLane*>& lanes) {
  std::vector<LiveLane*> live;
  std::copy_if(lanes.begin(), lanes.end(), std::back_inserter(live), [](const LiveLane* lane) {
    return lane->is_live();
  });
  return live;
}

/// A launch that no lane can be part of; one path that this environment forbids is a record only.
void refuse_where_all_do(const std::vector<LiveLane*>& lanes) {
  const bool all_refused =
      !lanes.empty() && std::all_of(lanes.begin(), lanes.end(), [](const LiveLane* lane) {
        return !lane->is_live() && lane->lost_kind == ErrorKind::refused;
      });
  if (all_refused) {
    throw Error(ErrorKind::refused, lanes.front()->lost_reason);
  }
}

/// Leaves of a lost lane only its path. Its worker must be gone first: until then it holds memory
/// of the GPU, and may still compute.
void bury(LiveLane& lane, bool rebuilds_again) {
  LiveLane fresh;
  fresh.path = lane.path;
  fresh.has_come_up = lane.has_come_up;
  fresh.was_rebuilt = !rebuilds_again;
  if (lane.lane && !lane.lane->wait_ended(Deadline::after(end_limit_s))) {
    fresh.start_failure =
        Error(ErrorKind::lost,
              fmt::format("the worker that was killed has not ended within {} s", end_limit_s));
  }
  lane = std::move(fresh);
}

}  // namespace

LaneSet::LaneSet(Steps& steps, const std::vector<PathSpec>& paths) : steps_(steps) {
  for (const PathSpec& path : paths) {
    lanes_.emplace_back().path = path;
  }
}

LaneSet::~LaneSet() {
  for (LiveLane& lane : lanes_) {
    if (lane.lane) {
      lane.lane->kill();
    }
  }
}

std::string LaneSet::bring_up(const BringUp& how) {
  const Lanes all = live_lanes();
  make(all, how.hooks.make_lane);
  say_hello(all, how);
  if (how.is_first) {
    // Later, other paths have measured: theirs stands.
    refuse_where_all_do(all);
  }
  std::string cpus = how.cpus;
  if (how.is_first && how.hooks.check_hello && live() > 0) {
    std::vector<HelloReply> hellos;
    for (const LiveLane* lane : live_lanes()) {
      hellos.push_back(lane->hello);
    }
    cpus = how.hooks.check_hello(hellos);
  }
  open(live_lanes(), how, cpus);
  if (how.is_first && how.hooks.lanes_ready) {
    std::vector<InitReply> replies;
    for (const LiveLane* lane : live_lanes()) {
      replies.push_back(lane->init);
    }
    how.hooks.lanes_ready(replies);
  }
  return cpus;
}

std::vector<std::size_t> LaneSet::rebuild(const BringUp& how) {
  std::vector<std::size_t> places;
  Lanes lanes;
  for (std::size_t place = 0; place < lanes_.size(); ++place) {
    if (LiveLane& lane = lanes_[place]; lane.may_be_rebuilt()) {
      bury(lane, how.rebuilds_again);
      places.push_back(place);
      lanes.push_back(&lane);
    }
  }
  if (!lanes.empty()) {
    make(lanes, how.hooks.make_lane);
    say_hello(lanes, how);
    open(only_live(lanes), how, how.cpus);
  }
  return places;
}

void LaneSet::make(const Lanes& lanes, const LaneFactory& factory) {
  for (LiveLane* lane : lanes) {
    if (lane->start_failure) {
      continue;
    }
    try {
      lane->lane = factory(lane->path);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::interrupted) {
        throw;
      }
      // The other ranks do not know yet: this one fails in the hello that follows.
      lane->start_failure = error;
    }
  }
}

void LaneSet::open(const Lanes& lanes, const BringUp& how, const std::string& cpus) {
  const std::vector<std::string> ids = make_ids(lanes, how.groups, how.options.hello_deadline_s);
  init(only_live(lanes), how, ids, cpus);
}

void LaneSet::say_hello(const Lanes& lanes, const BringUp& how) {
  HelloRequest hello;
  hello.local_rank = how.hooks.place.local_rank;
  hello.engine = lanes.empty() ? Engine::nccl : lanes.front()->path.engine;
  const auto replies = steps_.run(same_request(lanes, hello), how.options.hello_deadline_s);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (replies[i]) {
      lanes[i]->hello = std::get<HelloReply>(*replies[i]);
    }
  }
}

std::vector<std::string> LaneSet::make_ids(const Lanes& asked,
                                           const GroupMap& groups,
                                           double limit_s) {
  std::vector<LocalAnswer> answers(asked.size());
  Control& control = steps_.control();
  const std::size_t own_group = groups.group_of(control.rank());
  const bool is_first =
      groups.first_rank(own_group) == control.rank() && !groups.is_idle(own_group);
  if (is_first) {
    answers = steps_.exchange(same_request(asked, MakeIdRequest{}), limit_s);
  } else {
    steps_.skip(asked.size());
  }
  std::vector<std::string> ids(asked.size());
  std::vector<bool> has_failed(asked.size(), false);
  const auto take = [&](std::size_t group, const std::string& text) {
    const std::vector<std::string> lines = lines_of(text);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      has_failed[i] = has_failed[i] || lines.at(i).front() != '+';
      ids[i] = group == own_group ? lines[i].substr(1) : ids[i];
    }
  };
  const Deadline deadline = steps_.agreement_deadline(limit_s);
  const std::string own = is_first ? pack_ids(answers) : "";
  if (groups.count() == 1 && !groups.is_idle(0)) {
    take(0, control.broadcast(own, groups.first_rank(0), deadline));
  } else {
    // One agreement, however many pairs there are.
    const auto texts = control.all_gather(own, deadline);
    for (std::size_t group = 0; group < groups.count(); ++group) {
      if (!groups.is_idle(group)) {
        take(group, texts.at(static_cast<std::size_t>(groups.first_rank(group))));
      }
    }
  }
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (!has_failed[i]) {
      kept.push_back(ids[i]);
      continue;
    }
    // Only the first ranks were asked: the others agree that one failed and have nothing to add.
    LocalAnswer none;
    none.reply = Done{};
    steps_.lose(*asked[i], is_first ? answers[i] : none);
  }
  return kept;
}

void LaneSet::init(const Lanes& asked,
                   const BringUp& how,
                   const std::vector<std::string>& ids,
                   const std::string& cpus) {
  const Control& control = steps_.control();
  const std::size_t own_group = how.groups.group_of(control.rank());
  std::vector<LaneRequest> requests;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    InitRequest request;
    request.id = ids.at(i);
    request.rank = how.groups.rank_in_group(control.rank());
    request.ranks = how.groups.is_idle(own_group) ? 0 : how.groups.size_of(own_group);
    const bool is_whole = how.groups.count() == 1 && !how.groups.is_idle(own_group);
    request.group = is_whole ? -1 : static_cast<int>(own_group);
    request.cpus = cpus;
    request.method = how.options.method;
    // NCCL 2.30 has the setting; nccl-tests sets it from there on.
    request.max_p2p_peers = asked[i]->hello.nccl_running >= 23000 ? how.max_p2p_peers : 0;
    requests.push_back({.lane = asked[i], .request = request});
  }
  const double limit_s = how.options.init_deadline_s + 0.1 * control.size();
  const auto replies = steps_.run(requests, limit_s);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (replies[i]) {
      asked[i]->init = std::get<InitReply>(*replies[i]);
      asked[i]->has_come_up = true;
    }
  }
}

void LaneSet::give_up(std::size_t lane) {
  lanes_[lane].was_rebuilt = true;
}

void LaneSet::quit() {
  const std::vector<LiveLane*> asked = live_lanes();
  const Deadline deadline = Deadline::after(quit_limit_s);
  const auto leave = [](const std::vector<LiveLane*>& lanes, const auto& act) {
    for (LiveLane* lane : lanes) {
      try {
        act(*lane->lane);
      } catch (const Error& error) {
        // Nothing is measured any more: a worker that cannot leave by itself is ended below.
        if (error.kind() == ErrorKind::interrupted) {
          throw;
        }
      }
    }
  };
  leave(asked, [](Lane& lane) { lane.start(QuitRequest{}); });
  leave(asked, [deadline](Lane& lane) { lane.finish(deadline, [] { return false; }); });
  for (LiveLane* lane : asked) {
    lane->lane->kill();
  }
}

std::size_t LaneSet::live() const {
  return static_cast<std::size_t>(
      std::count_if(lanes_.begin(), lanes_.end(), [](const LiveLane& l) { return l.is_live(); }));
}

LaneSet::Lanes LaneSet::live_lanes() {
  Lanes live;
  for (LiveLane& lane : lanes_) {
    if (lane.is_live()) {
      live.push_back(&lane);
    }
  }
  return live;
}

}  // namespace viaduct
