#include "core/health.hpp"

#include <algorithm>
#include <sstream>

namespace viaduct {

namespace {

constexpr double ns_per_ms = 1e6;

using Counts = std::map<std::string, std::uint64_t>;

/// Words that both have, with what the count rose by; the others are named.
Counts rises(const Counts& before, const Counts& after, std::set<std::string>& not_available) {
  Counts rising;
  for (const auto& [word, count] : after) {
    const auto old = before.find(word);
    if (old == before.end()) {
      not_available.insert(word + ": not in the first reading");
    } else if (count < old->second) {
      not_available.insert(word + ": went backwards, it was reset");
    } else if (count > old->second) {
      rising[word] = count - old->second;
    }
  }
  for (const auto& [word, count] : before) {
    if (after.find(word) == after.end()) {
      not_available.insert(word + ": not in the second reading");
    }
  }
  return rising;
}

std::map<int, std::uint64_t> rising_links(const HealthReading& before,
                                          const HealthReading& after,
                                          const std::string& word) {
  std::map<int, std::uint64_t> rising;
  const auto old = before.link_errors.find(word);
  const auto now = after.link_errors.find(word);
  if (old == before.link_errors.end() || now == after.link_errors.end()) {
    return rising;
  }
  for (const auto& [link, count] : now->second) {
    const auto first = old->second.find(link);
    if (first != old->second.end() && count > first->second) {
      rising[link] = count - first->second;
    }
  }
  return rising;
}

template <typename Value, typename Choose>
std::optional<Value> chosen(const std::optional<Value>& a,
                            const std::optional<Value>& b,
                            Choose choose) {
  if (!a || !b) {
    return a ? a : b;
  }
  return choose(*a, *b);
}

template <typename Value>
std::optional<Value> highest(const std::optional<Value>& a, const std::optional<Value>& b) {
  return chosen(a, b, [](Value x, Value y) { return std::max(x, y); });
}

/// Those of the second reading that the first did not have yet.
std::vector<std::uint64_t> new_xids(const HealthReading& before, const HealthReading& after) {
  if (!after.xids) {
    return {};
  }
  const std::size_t seen = before.xids ? before.xids->size() : 0;
  if (after.xids->size() < seen) {
    return *after.xids;
  }
  return {after.xids->begin() + static_cast<std::ptrdiff_t>(seen), after.xids->end()};
}

void take_momentary_values(HealthChange& change,
                           const HealthReading& before,
                           const HealthReading& after) {
  for (const HealthReading* reading : {&before, &after}) {
    if (reading->reasons_now) {
      change.reasons_seen.insert(reading->reasons_now->begin(), reading->reasons_now->end());
    }
  }
  change.sm_mhz_lowest =
      chosen(before.sm_mhz, after.sm_mhz, [](unsigned x, unsigned y) { return std::min(x, y); });
  change.temperature_c_highest = highest(before.temperature_c, after.temperature_c);
  change.power_w_highest = highest(before.power_w, after.power_w);
}

std::string listed(const std::map<int, std::uint64_t>& links) {
  std::ostringstream text;
  text << (links.size() == 1 ? " (link " : " (links ");
  const char* between = "";
  for (const auto& [link, by] : links) {
    text << between << link;
    between = ", ";
  }
  text << ")";
  return text.str();
}

std::string throttling_text(const HealthChange& change) {
  std::ostringstream text;
  text.precision(1);
  text << std::fixed;
  const char* between = "throttled: ";
  for (const auto& [reason, ms] : change.throttled_ms) {
    text << between << reason << " " << ms << " ms";
    between = ", ";
  }
  return text.str();
}

}  // namespace

bool HealthChange::is_throttled() const {
  return std::any_of(throttled_ms.begin(), throttled_ms.end(), [](const auto& reason) {
    return reason.second >= 1.0;
  });
}

bool HealthChange::has_errors() const {
  return !rising_errors.empty() || !xids.empty();
}

HealthChange health_change(const HealthReading& before, const HealthReading& after) {
  HealthChange change;
  change.seconds = std::chrono::duration<double>(after.at - before.at).count();
  std::set<std::string> missing(before.not_available.begin(), before.not_available.end());
  missing.insert(after.not_available.begin(), after.not_available.end());
  for (const auto& [reason, ns] : rises(before.throttled_ns, after.throttled_ns, missing)) {
    change.throttled_ms[reason] = static_cast<double>(ns) / ns_per_ms;
  }
  for (const auto& [word, by] : rises(before.errors, after.errors, missing)) {
    change.rising_errors.push_back(RisingError{word, by, rising_links(before, after, word)});
  }
  change.xids = new_xids(before, after);
  take_momentary_values(change, before, after);
  change.not_available.assign(missing.begin(), missing.end());
  return change;
}

std::string describe(const HealthChange& change) {
  std::vector<std::string> parts;
  if (change.is_throttled()) {
    parts.push_back(throttling_text(change));
  }
  for (const RisingError& error : change.rising_errors) {
    parts.push_back(error.name + " +" + std::to_string(error.by) +
                    (error.links.empty() ? "" : listed(error.links)));
  }
  for (const std::uint64_t xid : change.xids) {
    parts.push_back("Xid " + std::to_string(xid));
  }
  std::string text;
  for (const std::string& part : parts) {
    text += (text.empty() ? "" : "; ") + part;
  }
  return text;
}

}  // namespace viaduct
