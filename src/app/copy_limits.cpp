#include "app/copy_limits.hpp"

#include "topology/limit_parts.hpp"
#include "topology/pair_limit.hpp"

namespace viaduct {
namespace {

using Gpus = std::vector<RankSeat>;

bool is_place(int gpu, const Gpus& gpus) {
  return gpu >= 0 && static_cast<std::size_t>(gpu) < gpus.size();
}

Way way_of(CopyRoute route) {
  return route == CopyRoute::peer ? Way::peer : Way::staged;
}

RateLimit twice(RateLimit limit) {
  if (limit.gbs) {
    *limit.gbs *= 2;
    limit.formula = "2 directions x " + limit.formula;
  }
  return limit;
}

RateLimit pair(const CopyEnds& ends, CopyRoute route, const Gpus& gpus) {
  if (!is_place(ends.from, gpus) || !is_place(ends.to, gpus)) {
    return unknown_limit("the GPUs of the copy are not known");
  }
  if (ends.from == ends.to) {
    return unknown_limit("no limit is known within a GPU");
  }
  return pair_limit(gpus[static_cast<std::size_t>(ends.from)],
                    gpus[static_cast<std::size_t>(ends.to)],
                    way_of(route));
}

/// Between one GPU and all others together.
RateLimit one_and_all(int one, CopyRoute route, const Gpus& gpus) {
  if (!is_place(one, gpus) || gpus.size() < 2) {
    return unknown_limit("the GPUs of the copy are not known");
  }
  WayOfRanks ways;
  ways.inside = way_of(route);
  // The first level has one part for each GPU, and they share one host: in their order.
  return limit_parts(gpus, ways).front().at(static_cast<std::size_t>(one)).out;
}

RateLimit host_link(const CopyEnds& ends, const Gpus& gpus) {
  const int gpu = ends.from == CopyEnds::none ? ends.to : ends.from;
  return is_place(gpu, gpus) ? pcie_limit_of(gpus[static_cast<std::size_t>(gpu)])
                             : unknown_limit("the GPU of the copy is not known");
}

}  // namespace

RateLimit copy_limit(const CopyOperation& operation,
                     CopyRoute route,
                     const CopyEnds& ends,
                     const std::vector<RankSeat>& gpus) {
  if (!operation.has_size || operation.timing != CopyTiming::transfer) {
    return unknown_limit("it moves no bytes that count");
  }
  switch (operation.shape) {
    case CopyShape::one_way:
      return pair(ends, route, gpus);
    case CopyShape::both_ways:
      return twice(pair(ends, route, gpus));
    case CopyShape::all_to_one:
      return one_and_all(ends.to, route, gpus);
    case CopyShape::one_to_all:
      return one_and_all(ends.from, route, gpus);
    case CopyShape::host_to_device:
    case CopyShape::device_to_host:
      return host_link(ends, gpus);
    case CopyShape::host_both_ways:
      return twice(host_link(ends, gpus));
  }
  return unknown_limit("no limit is known for this copy");
}

}  // namespace viaduct
