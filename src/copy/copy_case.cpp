#include "copy/copy_case.hpp"

#include "core/copy_operation.hpp"
#include "core/error.hpp"
#include "cuda/cuda_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <utility>

namespace viaduct {

namespace {

using Clock = std::chrono::steady_clock;

/// A stream takes about a thousand launches before the host has to wait; a copy that the driver
/// stages is many.
constexpr std::uint64_t most_behind_spin = 64;
/// The sample puts a whole loop behind one.
constexpr std::uint64_t sample_behind_spin = 100;
constexpr double us_per_ms = 1000.0;

double microseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

const CopyOperation& operation_of(const Case& c) {
  const CopyOperation* found = find_copy_operation(c.operation);
  if (found == nullptr) {
    throw Error(ErrorKind::usage, fmt::format("{} is no operation of engine copy", c.operation));
  }
  return *found;
}

bool has_host(const CopyOperation& operation) {
  return operation.shape == CopyShape::host_to_device ||
         operation.shape == CopyShape::device_to_host ||
         operation.shape == CopyShape::host_both_ways;
}

std::string why_no_peer(const GpuSet& gpus, const CopyEnds& ends) {
  for (const auto& [one, other] : {std::pair(ends.from, ends.to), std::pair(ends.to, ends.from)}) {
    if (one != other && !gpus.access().can_access(one, other)) {
      return fmt::format(
          "GPU {} cannot access the memory of GPU {} (cudaDeviceCanAccessPeer)", one, other);
    }
  }
  return "";
}

/// Why one message cannot go this way; "" when it can.
std::string why_no_message(const GpuSet& gpus,
                           const CopyOperation& operation,
                           const CopyEnds& ends) {
  const bool is_within = ends.from == ends.to;
  const bool needs_peer = operation.agent != CopyAgent::copy_engine && !is_within;
  switch (gpus.route()) {
    case CopyRoute::peer:
      return why_no_peer(gpus, ends);
    case CopyRoute::driver:
      return needs_peer ? "an SM cannot reach another GPU's memory without peer access" : "";
    case CopyRoute::pinned:
      if (operation.agent != CopyAgent::copy_engine) {
        return "SMs take no part in copies through page-locked host memory";
      }
      return is_within ? "a copy within one GPU does not go through host memory" : "";
  }
  return "";
}

std::string why_skipped(const GpuSet& gpus, const CopyOperation& operation, const Case& c) {
  const int gpu = std::max(c.ends.from, c.ends.to);
  if (gpu >= gpus.size()) {
    return fmt::format("this host has no GPU {}, only {}", gpu, gpus.size());
  }
  if (has_host(operation)) {
    return gpus.route() == CopyRoute::peer
               ? ""
               : "no GPU's memory is reached by another: the same as on a path with peer access";
  }
  for (const CopyMessage& message : copy_messages(operation, c.ends, gpus.size())) {
    if (std::string reason = why_no_message(gpus, operation, message.ends); !reason.empty()) {
      return reason;
    }
  }
  return "";
}

/// The GPU on which the case takes most decides.
void add_memory(GpuSet& gpus, const CopyOperation& operation, const Case& c, CaseDescription& to) {
  std::map<int, MessageNeeds> sums;
  for (const CopyMessage& message : copy_messages(operation, c.ends, gpus.size())) {
    for (const MessageNeeds& needs : needs_of(message, c.size_bytes)) {
      sums[needs.gpu].fixed_bytes += needs.fixed_bytes;
      sums[needs.gpu].slot_bytes += needs.slot_bytes;
    }
  }
  to.free_bytes = ~std::uint64_t{0};
  for (const auto& [gpu, needs] : sums) {
    to.fixed_bytes = std::max(to.fixed_bytes, needs.fixed_bytes);
    to.slot_bytes = std::max(to.slot_bytes, needs.slot_bytes);
    to.free_bytes = std::min(to.free_bytes, gpus.free_bytes(gpu));
  }
}

}  // namespace

CaseDescription describe_copy(GpuSet& gpus, const Case& c, const BufferSpec& buffers) {
  const CopyOperation& operation = operation_of(c);
  CaseDescription description;
  description.size_bytes = c.size_bytes;
  description.count = c.size_bytes;
  const bool has_bandwidth = operation.timing == CopyTiming::transfer && operation.has_size;
  description.alg_factor = has_bandwidth ? copies_at_once(operation, gpus.size()) : 0;
  description.bus_factor = description.alg_factor;
  description.skip_reason = why_skipped(gpus, operation, c);
  if (buffers.kind != BufferKind::plain || buffers.offset_bytes != 0) {
    description.skip_reason = "copies take plain buffers without an offset";
  }
  if (c.mode == Mode::graph) {
    description.skip_reason = "engine copy has the modes stream and each";
  }
  const bool has_gpus = std::max(c.ends.from, c.ends.to) < gpus.size();
  if (has_gpus && operation.has_size) {
    // Also of a path that cannot: the budget is the least of all.
    add_memory(gpus, operation, c, description);
  }
  if (description.skip_reason.empty() && gpus.route() == CopyRoute::pinned) {
    description.legs = "device_to_host,host_to_device";
  }
  return description;
}

CopyCase::CopyCase(GpuSet& gpus, const OpenSpec& spec)
    : gpus_(gpus),
      spec_(spec),
      operation_(operation_of(spec.c)),
      segment_(spec.method == Method::p2p_sample ? sample_behind_spin : most_behind_spin) {
  if (operation_.agent == CopyAgent::flags) {
    flags_ = std::make_unique<FlagPingPong>(gpus, spec.c.ends);
    return;
  }
  const MessageFrame frame{.operation = operation_,
                           .bytes = spec.c.size_bytes,
                           .slots = std::max<std::uint64_t>(spec.slots, 1),
                           .seed = spec.seed};
  for (const CopyMessage& message : copy_messages(operation_, spec.c.ends, gpus.size())) {
    messages_.push_back(std::make_unique<Message>(gpus, message, frame));
  }
  CopyStream& first = messages_.front()->stream();
  begin_ = first.make_mark();
  end_ = first.make_mark();
  if (!operation_.is_pageable) {
    gate_.emplace(gpus, first.gpu());
  }
}

void CopyCase::enqueue(std::uint64_t operation) {
  for (const auto& message : messages_) {
    message->enqueue(operation % std::max<std::uint64_t>(spec_.slots, 1));
  }
}

std::uint64_t CopyCase::slots_used(std::uint64_t operations) const {
  return std::min(operations, std::max<std::uint64_t>(spec_.slots, 1));
}

/// Of the work on all streams, by the clock of the first one's GPU.
double CopyCase::timed(const std::function<void()>& work) {
  CopyStream& first = messages_.front()->stream();
  first.use();
  if (gate_) {
    gate_->hold(first.get());
  }
  first.record(begin_);
  for (std::size_t i = 1; i < messages_.size(); ++i) {
    messages_[i]->stream().follow(first);
  }
  work();
  for (std::size_t i = 1; i < messages_.size(); ++i) {
    first.follow(messages_[i]->stream());
  }
  first.record(end_);
  if (gate_) {
    gate_->release();
  }
  first.synchronize();
  float elapsed_ms = 0;
  check(cudaEventElapsedTime(&elapsed_ms, begin_.get(), end_.get()), "cudaEventElapsedTime");
  return static_cast<double>(elapsed_ms) * us_per_ms;
}

/// Each once, also where both directions are copied.
void CopyCase::reconnect_pairs() {
  std::set<std::pair<int, int>> pairs;
  for (const CopyMessage& message : copy_messages(operation_, spec_.c.ends, gpus_.size())) {
    if (message.ends.from != CopyEnds::none && message.ends.to != CopyEnds::none) {
      pairs.insert(std::minmax({message.ends.from, message.ends.to}));
    }
  }
  for (const auto& [one, other] : pairs) {
    gpus_.reconnect(one, other);
  }
}

/// As the sample does: one direction after the other, the opposite one first.
void CopyCase::enqueue_as_sample(std::uint64_t operations) {
  for (auto message = messages_.rbegin(); message != messages_.rend(); ++message) {
    for (std::uint64_t i = 0; i < operations; ++i) {
      (*message)->enqueue(0);
    }
  }
}

double CopyCase::timed_segment(std::uint64_t first, std::uint64_t operations) {
  const double elapsed_us = timed([&] {
    if (spec_.method == Method::p2p_sample) {
      enqueue_as_sample(operations);
      return;
    }
    for (std::uint64_t i = first; i < first + operations; ++i) {
      enqueue(i);
    }
  });
  if (gate_ && gate_->opened_early()) {
    // The queue was full: fewer launches from now on.
    segment_ = std::max<std::uint64_t>(segment_ / 2, 1);
  }
  return elapsed_us;
}

std::vector<double> CopyCase::timed_batch(const BatchSpec& spec) {
  const bool is_each = spec_.c.mode == Mode::each;
  std::vector<double> samples;
  double sum_us = 0;
  for (std::uint64_t done = 0; done < spec.operations;) {
    const std::uint64_t length = is_each ? 1 : std::min(segment_, spec.operations - done);
    const double elapsed_us = timed_segment(done, length);
    done += length;
    sum_us += elapsed_us;
    if (is_each) {
      samples.push_back(elapsed_us);
    }
  }
  if (!is_each) {
    samples.push_back(sum_us / static_cast<double>(spec.operations));
  }
  return samples;
}

/// The host's own time in the call, while the GPU waits: nothing of the copy is in it.
std::vector<double> CopyCase::enqueue_times(std::uint64_t operations) {
  std::vector<double> samples;
  double sum_us = 0;
  for (std::uint64_t done = 0; done < operations;) {
    const std::uint64_t length = std::min(segment_, operations - done);
    timed([&] {
      for (std::uint64_t i = done; i < done + length; ++i) {
        const Clock::time_point start = Clock::now();
        enqueue(i);
        samples.push_back(microseconds_since(start));
      }
    });
    done += length;
  }
  if (spec_.c.mode == Mode::each) {
    return samples;
  }
  for (const double sample : samples) {
    sum_us += sample;
  }
  return {sum_us / static_cast<double>(samples.size())};
}

std::vector<double> CopyCase::leg_times() {
  Message& message = *messages_.front();
  if (message.relay() == nullptr) {
    return {};
  }
  const double down = timed([&message] { message.enqueue_down(); });
  CopyStream& up = message.relay()->receiver();
  const double both = timed([&message, &up] {
    up.follow(message.stream());
    message.enqueue_up();
    message.stream().follow(up);
  });
  return {down, both};
}

void CopyCase::lead_in(std::uint64_t operations) {
  for (std::uint64_t done = 0; done < operations; done += segment_) {
    timed_segment(done, std::min(segment_, operations - done));
  }
}

std::uint64_t CopyCase::count_wrong(std::uint64_t slots) {
  std::uint64_t wrong = 0;
  for (const auto& message : messages_) {
    wrong += message->count_wrong(slots);
  }
  return wrong;
}

OpenResult CopyCase::run_first() {
  OpenResult result;
  result.allocator = "cudaMalloc";
  result.registration = "none";
  const Clock::time_point start = Clock::now();
  if (flags_) {
    flags_->run(1);
    result.first_operation_us = microseconds_since(start);
    return result;
  }
  for (const auto& message : messages_) {
    message->poison(1);
  }
  const Clock::time_point begin = Clock::now();
  timed_segment(0, 1);
  result.first_operation_us = microseconds_since(begin);
  if (spec_.check) {
    result.wrong = count_wrong(1);
  }
  return result;
}

BatchResult CopyCase::run(const BatchSpec& spec) {
  BatchResult result;
  result.checked = "none";
  const Clock::time_point start = Clock::now();
  if (flags_) {
    result.samples_us = {flags_->run(spec.operations)};
    result.wall_us = microseconds_since(start);
    return result;
  }
  lead_in(spec.lead_in_operations);
  if (spec_.method == Method::p2p_sample) {
    reconnect_pairs();
  }
  const std::uint64_t slots = slots_used(spec.operations);
  if (spec.checked) {
    for (const auto& message : messages_) {
      message->poison(slots);
    }
  }
  result.samples_us =
      operation_.timing == CopyTiming::enqueue ? enqueue_times(spec.operations) : timed_batch(spec);
  result.wall_us = microseconds_since(start);
  if (spec.checked) {
    result.wrong = count_wrong(slots);
    result.checked = "timed";
    result.checked_operations = slots;
  }
  result.legs_us = leg_times();
  return result;
}

}  // namespace viaduct
