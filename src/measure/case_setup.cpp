#include "measure/case_setup.hpp"

#include "measure/memory_budget.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

namespace viaduct {

namespace {

/// Bytes per second that filling and comparing reaches even on a slow host.
constexpr double fill_rate = 1e9;

/// What a group has in the agreement about descriptions, for each lane. Each is a maximum over its
/// ranks; from size on only its first rank gives them.
enum Fact : std::size_t {
  skip,
  fixed,
  slot,
  least_free,
  ulp,
  size,
  count,
  alg,
  bus,
  share,
  messages,
  reduces,
  has_root,
  has_traffic,
  is_pairwise,
  facts_of_group
};

MemoryNeed need_of(const CaseDescription& description) {
  return {.fixed_bytes = description.fixed_bytes, .slot_bytes = description.slot_bytes};
}

/// The lanes on which a group still takes part.
std::vector<std::size_t> still_in(const std::vector<std::size_t>& lanes,
                                  const std::vector<LaneResult>& results) {
  std::vector<std::size_t> kept;
  std::copy_if(lanes.begin(), lanes.end(), std::back_inserter(kept), [&](std::size_t lane) {
    return any_takes_part(results[lane]);
  });
  return kept;
}

}  // namespace

void note_losses(LaneSet& lanes, std::vector<LaneResult>& results) {
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    for (CaseResult& result : results[lane]) {
      if (!lanes[lane].is_live() && result.status != Status::skipped) {
        // Refused: nothing broke, this environment or this library cannot give the path.
        const bool is_refused = lanes[lane].lost_kind == ErrorKind::refused;
        result.status = is_refused ? Status::skipped : Status::lost;
        result.reason = lanes[lane].lost_reason;
      }
    }
  }
}

/// The ranks of the idle group take no part in any case.
void CaseSetup::leave_out_idle(std::vector<LaneResult>& results) const {
  for (LaneResult& groups : results) {
    for (std::size_t group = 0; group < groups.size(); ++group) {
      if (groups_.is_idle(group)) {
        groups[group].status = Status::skipped;
        groups[group].reason = "these ranks are idle";
      }
    }
  }
}

std::vector<std::size_t> CaseSetup::open(const Case& c, std::vector<LaneResult>& results) {
  leave_out_idle(results);
  const Lanes described = describe(c, results);
  agree_on_slots(described, results);
  Lanes opened;
  // One lane after another: the first operations of several communicators at once would slow each
  // other down.
  for (const std::size_t lane : still_in(described, results)) {
    if (open_on(lane, spec_of(c, results[lane][own_group_]), results[lane])) {
      opened.push_back(lane);
    }
  }
  note_losses(lanes_, results);
  return opened;
}

OpenSpec CaseSetup::spec_of(const Case& c, const CaseResult& own) const {
  OpenSpec spec;
  spec.c = c;
  spec.seed = options_.seed;
  spec.slots = own.slots;
  spec.buffers = options_.buffers;
  spec.method = options_.method;
  if (own.description) {
    spec.max_bytes = rotation_bytes(
        options_, need_of(*own.description), own.description->size_bytes, budget_[own_group_]);
  }
  spec.check = options_.checked_batches > 0;
  return spec;
}

CaseSetup::Lanes CaseSetup::describe(const Case& c, std::vector<LaneResult>& results) {
  Lanes lanes;
  std::vector<LaneRequest> requests;
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    if (lanes_[lane].is_live()) {
      lanes.push_back(lane);
      const DescribeRequest request{.c = c, .buffers = options_.buffers, .method = options_.method};
      requests.push_back(
          {.lane = &lanes_[lane], .request = request, .is_asked = !groups_.is_idle(own_group_)});
    }
  }
  const auto replies = steps_.run(requests, options_.case_deadline_s);
  Lanes described;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (replies[i]) {
      if (!groups_.is_idle(own_group_)) {
        results[lanes[i]][own_group_].description = std::get<CaseDescription>(*replies[i]);
      }
      described.push_back(lanes[i]);
    }
  }
  agree_on_description(described, results);
  return still_in(described, results);
}

void CaseSetup::put_facts(const CaseDescription& own, double* facts) const {
  facts[skip] = own.skip_reason.empty() ? 0.0 : 1.0;
  facts[fixed] = static_cast<double>(own.fixed_bytes);
  facts[slot] = static_cast<double>(own.slot_bytes);
  facts[ulp] = static_cast<double>(own.tolerance_ulp);
  // The maximum of the negative is the least.
  facts[least_free] = -static_cast<double>(own.free_bytes);
  if (groups_.rank_in_group(steps_.control().rank()) == 0) {
    facts[size] = static_cast<double>(own.size_bytes);
    facts[count] = static_cast<double>(own.count);
    facts[alg] = own.alg_factor;
    facts[bus] = own.bus_factor;
    facts[share] = own.time_share;
    facts[messages] = own.messages;
    facts[reduces] = own.reduces ? 1.0 : 0.0;
    facts[has_root] = own.has_root ? 1.0 : 0.0;
    facts[has_traffic] = own.has_traffic ? 1.0 : 0.0;
    facts[is_pairwise] = own.is_pairwise ? 1.0 : 0.0;
  }
}

/// Whether some rank of the group skips the case.
bool CaseSetup::take_facts(const double* facts, CaseResult& result) {
  if (!result.description) {
    result.description = CaseDescription{};
  }
  CaseDescription& agreed = *result.description;
  agreed.fixed_bytes = static_cast<std::uint64_t>(facts[fixed]);
  agreed.slot_bytes = static_cast<std::uint64_t>(facts[slot]);
  agreed.free_bytes = static_cast<std::uint64_t>(-facts[least_free]);
  agreed.tolerance_ulp = static_cast<int>(facts[ulp]);
  agreed.size_bytes = static_cast<std::uint64_t>(facts[size]);
  agreed.count = static_cast<std::uint64_t>(facts[count]);
  agreed.alg_factor = facts[alg];
  agreed.bus_factor = facts[bus];
  agreed.time_share = facts[share];
  agreed.messages = facts[messages];
  agreed.reduces = facts[reduces] > 0;
  agreed.has_root = facts[has_root] > 0;
  agreed.has_traffic = facts[has_traffic] > 0;
  agreed.is_pairwise = facts[is_pairwise] > 0;
  return facts[skip] > 0;
}

void CaseSetup::agree_on_description(const Lanes& lanes, std::vector<LaneResult>& results) {
  if (lanes.empty()) {
    return;
  }
  const std::size_t count = groups_.count();
  std::vector<double> facts(facts_of_group * count * lanes.size(), 0.0);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    for (std::size_t group = 0; group < count; ++group) {
      facts[facts_of_group * (count * i + group) + least_free] =
          -std::numeric_limits<double>::infinity();
    }
    if (const auto& own = results[lanes[i]][own_group_].description) {
      put_facts(*own, &facts[facts_of_group * (count * i + own_group_)]);
    }
  }
  facts = steps_.control().max(facts, steps_.agreement_deadline());
  // Lanes of one GPU see the same free memory: the least that any of them sees is what they share.
  least_free_.assign(count, std::numeric_limits<std::uint64_t>::max());
  bool any_skip = false;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    for (std::size_t group = 0; group < count; ++group) {
      if (groups_.is_idle(group)) {
        continue;
      }
      CaseResult& result = results[lanes[i]][group];
      const double* const found = &facts[facts_of_group * (count * i + group)];
      any_skip = take_facts(found, result) || any_skip;
      least_free_[group] = std::min(least_free_[group], result.description->free_bytes);
    }
  }
  budget_.clear();
  for (const std::uint64_t free_bytes : least_free_) {
    budget_.push_back(lane_budget(options_, free_bytes, lanes_.live()));
  }
  if (any_skip) {
    agree_on_skips(lanes, results);
  }
}

void CaseSetup::agree_on_skips(const Lanes& lanes, std::vector<LaneResult>& results) {
  for (const std::size_t lane : lanes) {
    const auto& described = results[lane][own_group_].description;
    const std::string own = described ? described->skip_reason : "";
    const auto reasons = steps_.control().all_gather(own, steps_.agreement_deadline());
    for (std::size_t rank = 0; rank < reasons.size(); ++rank) {
      CaseResult& result = results[lane][groups_.group_of(static_cast<int>(rank))];
      if (result.takes_part() && !reasons[rank].empty()) {
        result.status = Status::skipped;
        result.reason = reasons[rank];
      }
    }
  }
}

void CaseSetup::agree_on_slots(const Lanes& lanes, std::vector<LaneResult>& results) {
  std::uint64_t slots = options_.max_slots;
  for (const std::size_t lane : lanes) {
    for (std::size_t group = 0; group < groups_.count(); ++group) {
      CaseResult& result = results[lane][group];
      if (!result.takes_part()) {
        continue;
      }
      const MemoryNeed need = need_of(*result.description);
      const std::uint64_t own = slots_that_fit(options_, need, budget_[group]);
      if (own == 0) {
        result.status = Status::skipped;
        result.reason = does_not_fit(need, budget_[group], least_free_[group], lanes_.live());
        continue;
      }
      slots = std::min(slots, own);
    }
  }
  // Equally many on every lane and in every group, or the caches would favour the one with fewer.
  for (const std::size_t lane : lanes) {
    for (CaseResult& result : results[lane]) {
      if (result.takes_part()) {
        const MemoryNeed need = need_of(*result.description);
        result.slots = slots;
        result.memory_bytes = need.fixed_bytes + slots * need.slot_bytes;
      }
    }
  }
}

bool CaseSetup::open_on(std::size_t lane, const OpenSpec& spec, LaneResult& groups) {
  Control& control = steps_.control();
  const bool takes_part = groups[own_group_].takes_part();
  const auto reply = std::move(
      steps_
          .run({{.lane = &lanes_[lane], .request = OpenRequest{spec}, .is_asked = takes_part}},
               limit_s(groups))
          .front());
  if (!reply) {
    return false;
  }
  const OpenResult opened = takes_part ? std::get<OpenResult>(*reply) : OpenResult{};
  std::vector<double> wrong(2 * groups.size(), 0.0);
  std::vector<double> first_us(groups.size(), 0.0);
  wrong[2 * own_group_] = opened.wrong ? 1.0 : 0.0;
  wrong[2 * own_group_ + 1] = static_cast<double>(opened.wrong.value_or(0));
  first_us[own_group_] = opened.first_operation_us;
  wrong = control.sum(wrong, steps_.agreement_deadline());
  first_us = control.max(first_us, steps_.agreement_deadline());
  for (std::size_t group = 0; group < groups.size(); ++group) {
    if (wrong[2 * group] > 0) {
      groups[group].count_wrong(static_cast<std::uint64_t>(wrong[2 * group + 1]));
    }
    groups[group].first_operation_us = first_us[group];
  }
  agree_on_buffers(opened, groups);
  return true;
}

/// What the first rank of each group says of its buffers. With one group only rank 0 needs to know,
/// and does.
void CaseSetup::agree_on_buffers(const OpenResult& own, LaneResult& groups) {
  std::vector<std::string> words{own.allocator + '\n' + own.registration};
  if (groups.size() > 1) {
    words = steps_.control().all_gather(words.front(), steps_.agreement_deadline());
  }
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const auto first = groups.size() > 1 ? static_cast<std::size_t>(groups_.first_rank(group)) : 0;
    const std::string& word = words.at(first);
    const std::size_t end = word.find('\n');
    groups[group].allocator = word.substr(0, end);
    groups[group].registration = word.substr(end + 1);
  }
}

void CaseSetup::close(const Lanes& lanes, const std::vector<LaneResult>& results) {
  std::vector<LaneRequest> requests;
  double limit = options_.case_deadline_s;
  for (const std::size_t lane : lanes) {
    if (lanes_[lane].is_live()) {
      requests.push_back({.lane = &lanes_[lane],
                          .request = CloseRequest{},
                          .is_asked = results[lane][own_group_].takes_part()});
      limit = std::max(limit, limit_s(results[lane]));
    }
  }
  steps_.run(requests, limit);
}

double CaseSetup::limit_s(const LaneResult& groups) const {
  std::uint64_t most = 0;
  for (const CaseResult& result : groups) {
    most = std::max(most, result.memory_bytes);
  }
  return options_.case_deadline_s + static_cast<double>(most) / fill_rate;
}

}  // namespace viaduct
