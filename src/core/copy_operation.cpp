#include "core/copy_operation.hpp"

#include "core/name_table.hpp"

#include <algorithm>

namespace viaduct {

namespace {

using Agent = CopyAgent;
using Call = CopyCall;
using Shape = CopyShape;

constexpr CopyOperation peer(
    std::string_view name, Agent agent, Call call, Shape shape, std::string_view summary) {
  return {.name = name, .agent = agent, .call = call, .shape = shape, .summary = summary};
}

constexpr CopyOperation host(std::string_view name,
                             Shape shape,
                             bool is_pageable,
                             std::string_view summary) {
  return {.name = name, .shape = shape, .is_pageable = is_pageable, .summary = summary};
}

std::vector<CopyOperation> copies_by_engine() {
  constexpr Agent ce = Agent::copy_engine;
  constexpr Call write = Call::write;
  constexpr Call read = Call::read;
  return {
      peer("copy_write", ce, write, Shape::one_way, "copy engine, on the sender's stream"),
      peer("copy_read", ce, read, Shape::one_way, "copy engine, on the receiver's stream"),
      peer("copy_write_both",
           ce,
           write,
           Shape::both_ways,
           "copy engines, both directions at once, each on its sender's stream"),
      peer("copy_read_both",
           ce,
           read,
           Shape::both_ways,
           "copy engines, both directions at once, each on its receiver's stream"),
      peer("copy_write_all_to_one",
           ce,
           write,
           Shape::all_to_one,
           "copy engines of all other GPUs into one"),
      peer("copy_read_all_to_one",
           ce,
           read,
           Shape::all_to_one,
           "copy engines of one GPU from all others"),
      peer("copy_write_one_to_all",
           ce,
           write,
           Shape::one_to_all,
           "copy engines of one GPU to all others"),
      peer("copy_read_one_to_all",
           ce,
           read,
           Shape::one_to_all,
           "copy engines of all other GPUs from one"),
  };
}

std::vector<CopyOperation> copies_by_kernel() {
  constexpr Agent sm = Agent::kernel;
  constexpr Call write = Call::write;
  constexpr Call read = Call::read;
  return {
      peer("kernel_write", sm, write, Shape::one_way, "SMs of the sender store"),
      peer("kernel_read", sm, read, Shape::one_way, "SMs of the receiver load"),
      peer("kernel_write_both",
           sm,
           write,
           Shape::both_ways,
           "SMs of both senders store, both directions at once"),
      peer("kernel_read_both",
           sm,
           read,
           Shape::both_ways,
           "SMs of both receivers load, both directions at once"),
      peer("kernel_write_all_to_one",
           sm,
           write,
           Shape::all_to_one,
           "SMs of all other GPUs store into one"),
      peer("kernel_read_all_to_one",
           sm,
           read,
           Shape::all_to_one,
           "SMs of one GPU load from all others"),
      peer("kernel_write_one_to_all",
           sm,
           write,
           Shape::one_to_all,
           "SMs of one GPU store to all others"),
      peer("kernel_read_one_to_all",
           sm,
           read,
           Shape::one_to_all,
           "SMs of all other GPUs load from one"),
  };
}

std::vector<CopyOperation> copies_of_host() {
  return {
      host("host_to_device", Shape::host_to_device, false, "page-locked host memory to a GPU"),
      host("device_to_host", Shape::device_to_host, false, "a GPU to page-locked host memory"),
      host("host_device_both",
           Shape::host_both_ways,
           false,
           "page-locked host memory to a GPU and back, both at once"),
      host("host_to_device_pageable", Shape::host_to_device, true, "ordinary host memory to a GPU"),
      host("device_to_host_pageable", Shape::device_to_host, true, "a GPU to ordinary host memory"),
  };
}

std::vector<CopyOperation> latencies() {
  return {
      {.name = "enqueue",
       .timing = CopyTiming::enqueue,
       .summary = "time that the host needs to start one copy; nothing of the copy itself"},
      {.name = "flag_latency",
       .agent = Agent::flags,
       .has_size = false,
       .summary = "a flag in one GPU's memory written by another and answered: half a round trip"},
  };
}

std::vector<CopyOperation> make_operations() {
  std::vector<CopyOperation> all;
  for (const auto& some : {copies_by_engine(), copies_by_kernel(), copies_of_host(), latencies()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

constexpr Named<CopyRoute> routes[] = {
    {CopyRoute::peer, "peer"},
    {CopyRoute::driver, "driver"},
    {CopyRoute::pinned, "pinned"},
};

std::vector<CopyEnds> pairs_of(int gpus, bool each_once, bool within) {
  std::vector<CopyEnds> ends;
  for (int from = 0; from < gpus; ++from) {
    for (int to = each_once ? from : 0; to < gpus; ++to) {
      if (within || from != to) {
        ends.push_back({from, to});
      }
    }
  }
  return ends;
}

std::vector<CopyEnds> each_of(int gpus, bool is_sender) {
  std::vector<CopyEnds> ends;
  for (int gpu = 0; gpu < gpus; ++gpu) {
    ends.push_back(is_sender ? CopyEnds{gpu, CopyEnds::none} : CopyEnds{CopyEnds::none, gpu});
  }
  return ends;
}

}  // namespace

const std::vector<CopyOperation>& copy_operations() {
  static const std::vector<CopyOperation> operations = make_operations();
  return operations;
}

const CopyOperation* find_copy_operation(std::string_view name) {
  const auto& all = copy_operations();
  const auto found = std::find_if(
      all.begin(), all.end(), [name](const CopyOperation& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> copy_operation_names() {
  std::vector<std::string> names;
  for (const CopyOperation& operation : copy_operations()) {
    names.emplace_back(operation.name);
  }
  return names;
}

std::vector<CopyEnds> copy_ends(const CopyOperation& operation, int gpus, PairOrder order) {
  if (operation.agent == CopyAgent::flags) {
    return pairs_of(gpus, true, false);
  }
  switch (operation.shape) {
    case CopyShape::one_way:
      return pairs_of(gpus, false, true);
    case CopyShape::both_ways:
      return pairs_of(gpus, order == PairOrder::lower_first, true);
    case CopyShape::all_to_one:
      return gpus > 1 ? each_of(gpus, false) : std::vector<CopyEnds>{};
    case CopyShape::one_to_all:
      return gpus > 1 ? each_of(gpus, true) : std::vector<CopyEnds>{};
    case CopyShape::host_to_device:
    case CopyShape::host_both_ways:
      return each_of(gpus, false);
    case CopyShape::device_to_host:
      return each_of(gpus, true);
  }
  return {};
}

const char* name(CopyRoute route) {
  return name_in(routes, route);
}

CopyRoute parse_copy_route(std::string_view text) {
  return value_in<CopyRoute>(routes, "route of a copy", text);
}

namespace {

CopyMessage message(const CopyOperation& operation, int from, int to) {
  int owner = operation.call == CopyCall::write ? from : to;
  if (from == CopyEnds::none || to == CopyEnds::none) {
    owner = std::max(from, to);
  }
  return {{from, to}, owner};
}

/// Between one GPU and every other.
std::vector<CopyMessage> star(const CopyOperation& operation, int hub, bool is_sender, int gpus) {
  std::vector<CopyMessage> messages;
  for (int gpu = 0; gpu < gpus; ++gpu) {
    if (gpu != hub) {
      messages.push_back(is_sender ? message(operation, hub, gpu) : message(operation, gpu, hub));
    }
  }
  return messages;
}

}  // namespace

std::vector<CopyMessage> copy_messages(const CopyOperation& operation,
                                       const CopyEnds& ends,
                                       int gpus) {
  switch (operation.shape) {
    case CopyShape::both_ways:
      return {message(operation, ends.from, ends.to), message(operation, ends.to, ends.from)};
    case CopyShape::all_to_one:
      return star(operation, ends.to, false, gpus);
    case CopyShape::one_to_all:
      return star(operation, ends.from, true, gpus);
    case CopyShape::host_both_ways:
      return {message(operation, CopyEnds::none, ends.to),
              message(operation, ends.to, CopyEnds::none)};
    case CopyShape::one_way:
    case CopyShape::host_to_device:
    case CopyShape::device_to_host:
      break;
  }
  return {message(operation, ends.from, ends.to)};
}

int copies_at_once(const CopyOperation& operation, int gpus) {
  switch (operation.shape) {
    case CopyShape::both_ways:
    case CopyShape::host_both_ways:
      return 2;
    case CopyShape::all_to_one:
    case CopyShape::one_to_all:
      return gpus - 1;
    default:
      return 1;
  }
}

}  // namespace viaduct
