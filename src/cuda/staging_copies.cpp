#include "cuda/staging_copies.hpp"

#include "cuda/cuda_error.hpp"

#include <algorithm>
#include <chrono>
#include <sched.h>
#include <thread>

namespace viaduct {

namespace {

/// After so many looks in vain, of about a microsecond each, nothing is in a hurry any more.
constexpr std::uint64_t busy_waits = 4000;
constexpr std::chrono::microseconds nap{50};

unsigned char* row(const void* first, std::uint64_t step, std::uint64_t number) {
  return const_cast<unsigned char*>(static_cast<const unsigned char*>(first)) + number * step;
}

/// Without timing: it is recorded once for each chunk.
EventHandle make_mark() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
  return EventHandle(event);
}

void* with_pages(const staging::SharedBlock& block) {
  block.take_pages();
  return block.data();
}

}  // namespace

PinnedPages::PinnedPages(void* first, std::size_t bytes) : first_(first) {
  check(cudaHostRegister(first, bytes, cudaHostRegisterDefault), "cudaHostRegister");
}

PinnedPages::~PinnedPages() {
  static_cast<void>(cudaHostUnregister(first_));
}

StagingCopies::Direction::Direction() : stream_(make_stream()) {
  std::generate(events_.begin(), events_.end(), make_mark);
}

std::uint64_t StagingCopies::Direction::mark() {
  check(cudaEventRecord(events_[next_ % marks].get(), stream()), "cudaEventRecord");
  return next_++;
}

bool StagingCopies::Direction::is_done(std::uint64_t ticket) {
  if (ticket < done_) {
    return true;
  }
  const cudaError_t state = cudaEventQuery(events_[ticket % marks].get());
  if (state == cudaErrorNotReady) {
    // It stays behind as the last error of this thread, and a later reader would take it for a
    // fault.
    static_cast<void>(cudaGetLastError());
    return false;
  }
  check(state, "cudaEventQuery");
  done_ = ticket + 1;
  return true;
}

StagingCopies::StagingCopies(const staging::SharedBlock& block)
    : pages_(with_pages(block), staging::SharedBlock::data_bytes) {}

std::uint64_t StagingCopies::start_down(void* host, const staging::DeviceRows& from) {
  for (std::uint64_t i = 0; i < from.rows; ++i) {
    check(cudaMemcpyAsync(row(host, from.bytes, i),
                          row(from.at, from.step, i),
                          from.bytes,
                          cudaMemcpyDeviceToHost,
                          down_.stream()),
          "cudaMemcpyAsync");
  }
  return down_.mark();
}

std::uint64_t StagingCopies::start_up(const staging::DeviceRows& to, const void* host) {
  for (std::uint64_t i = 0; i < to.rows; ++i) {
    check(cudaMemcpyAsync(row(to.at, to.step, i),
                          row(host, to.bytes, i),
                          to.bytes,
                          cudaMemcpyHostToDevice,
                          up_.stream()),
          "cudaMemcpyAsync");
  }
  return up_.mark();
}

void StagingCopies::copy_within(const void* from, void* to, std::size_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, up_.stream()),
        "cudaMemcpyAsync");
  const std::uint64_t ticket = up_.mark();
  for (std::uint64_t waits = 0; !up_.is_done(ticket); ++waits) {
    pause(waits);
  }
}

void StagingCopies::pause(std::uint64_t waits) {
  if (waits < busy_waits) {
    // The rank may need this core.
    sched_yield();
  } else {
    std::this_thread::sleep_for(nap);
  }
}

}  // namespace viaduct
