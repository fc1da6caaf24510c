#include "measure/leg_times.hpp"

#include "stats/order_statistics.hpp"

#include <algorithm>
#include <string>

namespace viaduct {

namespace {

std::vector<std::string> words_of(std::string rest) {
  std::vector<std::string> names;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    names.push_back(rest.substr(0, comma));
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
  }
  return names;
}

/// What this rank has timed; empty: nothing.
std::string own_names(const CaseResult& own) {
  return own.description && !own.own_legs_us.empty() ? own.description->legs : "";
}

using LaneNames = std::vector<std::vector<std::string>>;

/// By lane. A rank may be idle, or have lost what others have: it must not decide by itself whether
/// there is anything to agree on.
LaneNames agree_on_names(Steps& steps,
                         std::size_t own_group,
                         const std::vector<LaneResult>& results) {
  Control& control = steps.control();
  // The first rank that knows is the one with the largest number; 0: none does.
  std::vector<double> knows;
  for (const LaneResult& lane : results) {
    const bool has_names = !own_names(lane[own_group]).empty();
    knows.push_back(has_names ? static_cast<double>(control.size() - control.rank()) : 0.0);
  }
  knows = control.max(knows, steps.agreement_deadline());
  LaneNames names(results.size());
  for (std::size_t lane = 0; lane < results.size(); ++lane) {
    if (knows[lane] > 0) {
      const int first = control.size() - static_cast<int>(knows[lane]);
      names[lane] = words_of(control.broadcast(
          own_names(results[lane][own_group]), first, steps.agreement_deadline()));
    }
  }
  return names;
}

std::size_t most_of(const LaneNames& names) {
  std::size_t most = 0;
  for (const auto& of_lane : names) {
    most = std::max(most, of_lane.size());
  }
  return most;
}

/// A group whose ranks have timed none of the legs keeps none.
void set_legs(CaseResult& result, const std::vector<std::string>& names, const double* medians) {
  const bool is_timed =
      std::any_of(medians, medians + names.size(), [](double median) { return median > 0; });
  if (!result.has_samples() || !is_timed) {
    return;
  }
  for (std::size_t leg = 0; leg < names.size(); ++leg) {
    result.legs.push_back({names[leg], medians[leg]});
  }
}

}  // namespace

void share_legs(Steps& steps, const GroupMap& groups, std::vector<LaneResult>& results) {
  const std::size_t own_group = groups.group_of(steps.control().rank());
  const LaneNames names = agree_on_names(steps, own_group, results);
  const std::size_t most = most_of(names);
  if (most == 0) {
    return;
  }
  const auto place = [&](std::size_t lane, std::size_t group) {
    return (lane * groups.count() + group) * most;
  };
  std::vector<double> medians(results.size() * groups.count() * most, 0.0);
  for (std::size_t lane = 0; lane < results.size(); ++lane) {
    const auto& own = results[lane][own_group].own_legs_us;
    for (std::size_t leg = 0; leg < std::min(own.size(), most); ++leg) {
      medians[place(lane, own_group) + leg] = own[leg].empty() ? 0 : median(own[leg]);
    }
  }
  medians = steps.control().max(medians, steps.agreement_deadline());
  for (std::size_t lane = 0; lane < results.size(); ++lane) {
    for (std::size_t group = 0; group < groups.count(); ++group) {
      set_legs(results[lane][group], names[lane], &medians[place(lane, group)]);
    }
  }
}

}  // namespace viaduct
