#include "measure/leg_times.hpp"

#include "stats/order_statistics.hpp"

#include <algorithm>
#include <string>

namespace viaduct {

namespace {

std::vector<std::string> leg_names(const CaseResult& result) {
  std::vector<std::string> names;
  if (!result.description || !result.has_samples()) {
    return names;
  }
  std::string rest = result.description->legs;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    names.push_back(rest.substr(0, comma));
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
  }
  return names;
}

std::size_t most_legs(const std::vector<LaneResult>& results) {
  std::size_t most = 0;
  for (const LaneResult& groups : results) {
    for (const CaseResult& result : groups) {
      most = std::max(most, leg_names(result).size());
    }
  }
  return most;
}

}  // namespace

void share_legs(Steps& steps, const GroupMap& groups, std::vector<LaneResult>& results) {
  const std::size_t most = most_legs(results);
  if (most == 0) {
    return;
  }
  const std::size_t own_group = groups.group_of(steps.control().rank());
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
      CaseResult& result = results[lane][group];
      const std::vector<std::string> names = leg_names(result);
      for (std::size_t leg = 0; leg < names.size(); ++leg) {
        result.legs.push_back({names[leg], medians[place(lane, group) + leg]});
      }
    }
  }
}

}  // namespace viaduct
