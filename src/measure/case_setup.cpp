#include "measure/case_setup.hpp"

#include "measure/memory_budget.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace viaduct {

namespace {

/// Bytes per second that filling and comparing reaches even on a slow host.
constexpr double fill_rate = 1e9;

/// Per lane in the agreement about descriptions.
constexpr std::size_t facts_per_lane = 4;

MemoryNeed need_of(const CaseDescription& description) {
  return {.fixed_bytes = description.fixed_bytes, .slot_bytes = description.slot_bytes};
}

}  // namespace

void note_losses(LaneSet& lanes, std::vector<CaseResult>& results) {
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    if (!lanes[lane].is_live() && results[lane].status != Status::skipped) {
      results[lane].status = Status::lost;
      results[lane].reason = lanes[lane].lost_reason;
    }
  }
}

std::vector<std::size_t> CaseSetup::open(const Case& c, std::vector<CaseResult>& results) {
  std::vector<std::size_t> lanes = describe(c, results);
  agree_on_slots(lanes, results);
  std::vector<std::size_t> opened;
  // One lane after another: the first operations of several communicators at once would slow each
  // other down.
  for (const std::size_t lane : lanes) {
    CaseResult& result = results[lane];
    OpenSpec spec;
    spec.c = c;
    spec.seed = options_.seed;
    spec.slots = result.slots;
    spec.buffers = options_.buffers;
    spec.method = options_.method;
    spec.max_bytes = rotation_bytes(
        options_, need_of(*result.description), result.description->size_bytes, budget_);
    spec.check = options_.checked_batches > 0;
    if (open_on(lane, spec, result)) {
      opened.push_back(lane);
    }
  }
  note_losses(lanes_, results);
  return opened;
}

std::vector<std::size_t> CaseSetup::describe(const Case& c, std::vector<CaseResult>& results) {
  std::vector<std::size_t> lanes;
  std::vector<LaneRequest> requests;
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    if (lanes_[lane].is_live()) {
      lanes.push_back(lane);
      const DescribeRequest request{.c = c, .buffers = options_.buffers, .method = options_.method};
      requests.push_back({.lane = &lanes_[lane], .request = request});
    }
  }
  const auto replies = steps_.run(requests, options_.case_deadline_s);
  std::vector<std::size_t> described;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (replies[i]) {
      results[lanes[i]].description = std::get<CaseDescription>(*replies[i]);
      described.push_back(lanes[i]);
    }
  }
  agree_on_description(described, results);
  return described;
}

void CaseSetup::agree_on_description(std::vector<std::size_t>& lanes,
                                     std::vector<CaseResult>& results) {
  if (lanes.empty()) {
    return;
  }
  std::vector<double> facts;
  for (const std::size_t lane : lanes) {
    const CaseDescription& own = *results[lane].description;
    facts.push_back(own.skip_reason.empty() ? 0.0 : 1.0);
    facts.push_back(static_cast<double>(own.fixed_bytes));
    facts.push_back(static_cast<double>(own.slot_bytes));
    // The maximum of the negative is the least.
    facts.push_back(-static_cast<double>(own.free_bytes));
  }
  facts = steps_.control().max(facts, steps_.agreement_deadline());
  // Lanes of one GPU see the same free memory: the least that any of them sees is what they share.
  double least_free = -facts[3];
  bool any_skip = false;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const double* fact = &facts[facts_per_lane * i];
    CaseDescription& agreed = *results[lanes[i]].description;
    any_skip = any_skip || fact[0] > 0;
    agreed.fixed_bytes = static_cast<std::uint64_t>(fact[1]);
    agreed.slot_bytes = static_cast<std::uint64_t>(fact[2]);
    agreed.free_bytes = static_cast<std::uint64_t>(-fact[3]);
    least_free = std::min(least_free, -fact[3]);
  }
  least_free_ = static_cast<std::uint64_t>(least_free);
  budget_ = lane_budget(options_, least_free_, lanes_.live());
  if (any_skip) {
    agree_on_skips(lanes, results);
  }
}

void CaseSetup::agree_on_skips(std::vector<std::size_t>& lanes, std::vector<CaseResult>& results) {
  std::vector<std::size_t> kept;
  for (const std::size_t lane : lanes) {
    const std::string& own = results[lane].description->skip_reason;
    const auto reasons = steps_.control().all_gather(own, steps_.agreement_deadline());
    const auto first = std::find_if(
        reasons.begin(), reasons.end(), [](const std::string& reason) { return !reason.empty(); });
    if (first == reasons.end()) {
      kept.push_back(lane);
      continue;
    }
    results[lane].status = Status::skipped;
    results[lane].reason = *first;
  }
  lanes = kept;
}

void CaseSetup::agree_on_slots(std::vector<std::size_t>& lanes, std::vector<CaseResult>& results) {
  std::vector<std::size_t> fitting;
  std::uint64_t slots = options_.max_slots;
  for (const std::size_t lane : lanes) {
    const MemoryNeed need = need_of(*results[lane].description);
    const std::uint64_t own = slots_that_fit(options_, need, budget_);
    if (own == 0) {
      results[lane].status = Status::skipped;
      results[lane].reason = does_not_fit(need, budget_, least_free_, lanes_.live());
      continue;
    }
    fitting.push_back(lane);
    slots = std::min(slots, own);
  }
  // Equally many on every lane, or the caches would favour the lane with fewer.
  for (const std::size_t lane : fitting) {
    const MemoryNeed need = need_of(*results[lane].description);
    results[lane].slots = slots;
    results[lane].memory_bytes = need.fixed_bytes + slots * need.slot_bytes;
  }
  lanes = fitting;
}

bool CaseSetup::open_on(std::size_t lane, const OpenSpec& spec, CaseResult& result) {
  Control& control = steps_.control();
  const auto reply = std::move(
      steps_.run({{.lane = &lanes_[lane], .request = OpenRequest{spec}}}, limit_s(result)).front());
  if (!reply) {
    return false;
  }
  const auto& opened = std::get<OpenResult>(*reply);
  const auto total =
      control.sum({opened.wrong ? 1.0 : 0.0, static_cast<double>(opened.wrong.value_or(0))},
                  steps_.agreement_deadline());
  if (total[0] > 0) {
    result.count_wrong(static_cast<std::uint64_t>(total[1]));
  }
  result.first_operation_us =
      control.max({opened.first_operation_us}, steps_.agreement_deadline()).front();
  result.allocator = opened.allocator;
  result.registration = opened.registration;
  return true;
}

void CaseSetup::close(const std::vector<std::size_t>& lanes,
                      const std::vector<CaseResult>& results) {
  std::vector<LaneRequest> requests;
  double limit = options_.case_deadline_s;
  for (const std::size_t lane : lanes) {
    if (lanes_[lane].is_live()) {
      requests.push_back({.lane = &lanes_[lane], .request = CloseRequest{}});
      limit = std::max(limit, limit_s(results[lane]));
    }
  }
  steps_.run(requests, limit);
}

double CaseSetup::limit_s(const CaseResult& result) const {
  return options_.case_deadline_s + static_cast<double>(result.memory_bytes) / fill_rate;
}

}  // namespace viaduct
