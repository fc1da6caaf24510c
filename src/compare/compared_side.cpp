#include "compare/compared_side.hpp"

#include "core/size_text.hpp"
#include "stats/order_statistics.hpp"

namespace viaduct {
namespace {

/// The gravest first, as in exit codes.
int gravity(Status status) {
  switch (status) {
    case Status::wrong:
      return 3;
    case Status::lost:
      return 2;
    case Status::skipped:
      return 1;
    case Status::ok:
      break;
  }
  return 0;
}

void join(std::set<std::string>& values, const std::set<std::string>& more) {
  values.insert(more.begin(), more.end());
}

std::vector<double> launches_of(const ComparedPoint& point) {
  if (!point.launches.empty() || !point.value) {
    return point.launches;
  }
  return {*point.value};
}

void join_point(ComparedPoint& point, const ComparedPoint& more) {
  const double before = point.value.value_or(0);
  std::vector<double> launches = launches_of(point);
  const std::vector<double> others = launches_of(more);
  launches.insert(launches.end(), others.begin(), others.end());
  if (gravity(more.status) > gravity(point.status)) {
    point.status = more.status;
    point.reason = more.reason;
  }
  point.launches = launches;
  point.value = launches.empty() ? std::nullopt : std::optional(median(launches));
  // What one launch says of itself does not speak for all.
  point.within.reset();
  point.samples.clear();
  // Rates are as the inverse of the time.
  const double shift = point.value && before > 0 ? before / *point.value : 1;
  for (auto* rate : {&point.algbw_gbs, &point.busbw_gbs}) {
    if (*rate) {
      **rate *= shift;
    }
  }
}

}  // namespace

std::string describe(const PointKey& key) {
  std::string text = key.path.empty() ? "" : key.path + ": ";
  text += key.operation.empty() ? "unknown operation" : key.operation;
  text += key.size_bytes ? " " + format_size(*key.size_bytes) : "";
  for (const std::string* word :
       {&key.datatype, &key.reduction, &key.placement, &key.mode, &key.traffic, &key.group}) {
    text += word->empty() ? "" : " " + *word;
  }
  text += key.root.empty() ? "" : " root " + key.root;
  return text + (key.from.empty() ? "" : " from " + key.from + " to " + key.to);
}

void add_repeat(ComparedSide& side, const ComparedSide& more) {
  for (const auto& [key, point] : more.points) {
    const auto [found, is_new] = side.points.try_emplace(key, point);
    if (!is_new) {
      join_point(found->second, point);
    }
  }
  side.sources.insert(side.sources.end(), more.sources.begin(), more.sources.end());
  side.same_launch_as.clear();
  side.notes.insert(side.notes.end(), more.notes.begin(), more.notes.end());
  join(side.configuration.ranks, more.configuration.ranks);
  join(side.configuration.hosts, more.configuration.hosts);
  join(side.configuration.gpus, more.configuration.gpus);
  join(side.configuration.nccl, more.configuration.nccl);
  join(side.configuration.engine, more.configuration.engine);
  join(side.configuration.method, more.configuration.method);
  join(side.configuration.buffers, more.configuration.buffers);
}

}  // namespace viaduct
