#include "batch/batch_timing.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <chrono>

namespace viaduct {

namespace {

using Clock = std::chrono::steady_clock;

double microseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

constexpr std::size_t start_mark = 0;
constexpr std::size_t end_mark = 1;
constexpr std::size_t align_count = 2;  // float32: 8 bytes

}  // namespace

BatchTiming::BatchTiming(Device device, const CasePlan& plan, const CaseBuffers& buffers)
    : device_(device),
      plan_(plan),
      buffers_(buffers) {}

void BatchTiming::prepare(const BatchSpec& spec) {
  if (spec.operations == 0 || spec.replays == 0) {
    throw Error(ErrorKind::usage, "a batch of 0 operations or 0 replays was asked for; at least 1");
  }
  if (plan_.c.mode == Mode::graph) {
    device_.timeline.reserve(2);
    prepare_graphs(spec.operations);
  } else if (plan_.c.mode == Mode::each) {
    device_.timeline.reserve(2 * spec.operations);
  } else {
    device_.timeline.reserve(2);
  }
}

void BatchTiming::prepare_graphs(std::uint64_t count) {
  if (graph_operations_ == count) {
    return;
  }
  graph_operations_ = 0;
  head_.reset();
  body_.reset();
  Timeline& timeline = device_.timeline;
  if (plan_.method == Method::viaduct) {
    head_ = timeline.capture([this, count, &timeline] {
      align();
      timeline.mark(start_mark);
      enqueue_at(0, count);
    });
  }
  body_ = timeline.capture([this, count] { enqueue_at(0, count); });
  graph_operations_ = count;
}

void BatchTiming::lead_in(const BatchSpec& spec) {
  if (plan_.method == Method::viaduct) {
    enqueue(spec.lead_in_operations);
  }
}

std::uint64_t BatchTiming::operations(const BatchSpec& spec) const {
  return plan_.c.mode == Mode::graph ? spec.operations * spec.replays : spec.operations;
}

PlaceRange BatchTiming::used_places(const BatchSpec& spec) const {
  // A graph holds addresses, so each replay starts at the first place again; so does each loop of
  // nccl-tests.
  const bool starts_over = plan_.c.mode == Mode::graph || plan_.method == Method::nccl_tests;
  return PlaceRange{.first = starts_over ? 0 : next_place_,
                    .count = std::min(spec.operations, buffers_.places())};
}

std::vector<double> BatchTiming::timed(const BatchSpec& spec) {
  if (plan_.method == Method::nccl_tests) {
    return time_as_nccl_tests(spec);
  }
  switch (plan_.c.mode) {
    case Mode::graph:
      return time_graph(spec.operations, spec.replays);
    case Mode::each:
      return time_each(spec.operations);
    case Mode::stream:
      break;
  }
  return time_stream(spec.operations);
}

void BatchTiming::run_plain(std::uint64_t place) {
  enqueue_at(place, 1);
  device_.timeline.synchronize();
}

void BatchTiming::run_once(std::uint64_t place) {
  if (plan_.c.mode != Mode::graph) {
    run_plain(place);
    return;
  }
  const std::unique_ptr<Graph> graph =
      device_.timeline.capture([this, place] { enqueue_at(place, 1); });
  device_.timeline.launch(*graph);
  device_.timeline.synchronize();
}

void BatchTiming::align() {
  device_.transport.all_reduce(
      buffers_.align_send(), buffers_.align_recv(), align_count, Datatype::float32, ReduceOp::sum);
}

void BatchTiming::enqueue_at(std::uint64_t place, std::uint64_t count) const {
  // The loop that is timed: nothing here but addresses and the call.
  auto* const enqueue_operation = plan_.collective->enqueue;
  Transport& transport = device_.transport;
  const std::uint64_t places = buffers_.places();
  OperationCall call{.send = nullptr,
                     .recv = nullptr,
                     .layout = plan_.layout,
                     .datatype = plan_.c.datatype,
                     .reduction = plan_.c.reduction,
                     .root = plan_.c.root};
  for (std::uint64_t i = 0; i < count; ++i) {
    call.send = buffers_.send(place);
    call.recv = buffers_.recv(place);
    enqueue_operation(transport, call);
    if (++place == places) {
      place = 0;
    }
  }
}

std::uint64_t BatchTiming::advanced(std::uint64_t place, std::uint64_t count) const {
  return (place + count) % buffers_.places();
}

void BatchTiming::enqueue(std::uint64_t count) {
  enqueue_at(next_place_, count);
  next_place_ = advanced(next_place_, count);
}

std::vector<double> BatchTiming::time_stream(std::uint64_t count) {
  Timeline& timeline = device_.timeline;
  align();
  timeline.synchronize();
  timeline.mark(start_mark);
  enqueue(count);
  timeline.mark(end_mark);
  timeline.synchronize();
  return {timeline.elapsed_us(start_mark, end_mark) / static_cast<double>(count)};
}

std::vector<double> BatchTiming::time_each(std::uint64_t count) {
  Timeline& timeline = device_.timeline;
  align();
  timeline.synchronize();
  for (std::uint64_t i = 0; i < count; ++i) {
    timeline.mark(2 * i);
    enqueue_at(next_place_, 1);
    timeline.mark(2 * i + 1);
    next_place_ = advanced(next_place_, 1);
  }
  timeline.synchronize();
  std::vector<double> samples(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    samples[i] = timeline.elapsed_us(2 * i, 2 * i + 1);
  }
  return samples;
}

std::vector<double> BatchTiming::time_graph(std::uint64_t count, std::uint64_t replays) {
  Timeline& timeline = device_.timeline;
  timeline.launch(*head_);
  for (std::uint64_t i = 1; i < replays; ++i) {
    timeline.launch(*body_);
  }
  timeline.mark(end_mark);
  timeline.synchronize();
  const auto operations = static_cast<double>(count) * static_cast<double>(replays);
  return {timeline.elapsed_us(start_mark, end_mark) / operations};
}

std::vector<double> BatchTiming::time_as_nccl_tests(const BatchSpec& spec) {
  Timeline& timeline = device_.timeline;
  if (plan_.c.mode == Mode::each) {
    return time_intervals(spec.operations);
  }
  // nccl-tests runs one operation to its end just before its loop: the code that launches it and
  // its data are warm. That is up to a tenth of ten operations of 140 us.
  enqueue_at(0, 1);
  timeline.synchronize();
  // nccl-tests starts its clock behind an MPI barrier. Ranks that met through their control sockets
  // are tens of microseconds apart by now: an all_reduce on the device brings them as close
  // together again.
  align();
  timeline.synchronize();
  const Clock::time_point start = Clock::now();
  if (plan_.c.mode == Mode::graph) {
    for (std::uint64_t i = 0; i < spec.replays; ++i) {
      timeline.launch(*body_);
    }
  } else {
    enqueue_at(0, spec.operations);
  }
  timeline.synchronize();
  return {microseconds_since(start) / static_cast<double>(operations(spec))};
}

// As `-I 1` of nccl-tests: one mark before each operation and one at the end, so launch gaps are
// inside the samples.
std::vector<double> BatchTiming::time_intervals(std::uint64_t count) {
  Timeline& timeline = device_.timeline;
  const std::uint64_t places = buffers_.places();
  for (std::uint64_t i = 0; i < count; ++i) {
    timeline.mark(i);
    enqueue_at(i % places, 1);
  }
  timeline.mark(count);
  timeline.synchronize();
  std::vector<double> samples(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    samples[i] = timeline.elapsed_us(i, i + 1);
  }
  return samples;
}

}  // namespace viaduct
