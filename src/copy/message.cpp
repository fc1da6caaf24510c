#include "copy/message.hpp"

#include "copy/copy_kernel.hpp"
#include "cuda/cuda_error.hpp"

#include <cstring>

namespace viaduct {

namespace {

/// Slots begin where a GPU likes to begin.
constexpr std::uint64_t slot_alignment = 256;

std::uint64_t slot_stride(std::uint64_t bytes) {
  return (bytes + slot_alignment - 1) / slot_alignment * slot_alignment;
}

bool is_host(int gpu) {
  return gpu == CopyEnds::none;
}

/// Any byte, other for each sender; the host is the sender behind the last GPU.
Pattern pattern_of(std::uint64_t seed, int gpus) {
  Pattern pattern;
  pattern.seed = seed;
  pattern.ranks = gpus + 1;
  pattern.contributors = gpus + 1;
  pattern.largest = 255;
  pattern.is_signed = false;
  return pattern;
}

}  // namespace

std::vector<MessageNeeds> needs_of(const CopyMessage& message, std::uint64_t bytes) {
  std::vector<MessageNeeds> needs;
  if (!is_host(message.ends.from)) {
    needs.push_back({.gpu = message.ends.from, .fixed_bytes = bytes});
  }
  if (!is_host(message.ends.to)) {
    needs.push_back({.gpu = message.ends.to, .slot_bytes = slot_stride(bytes)});
  }
  if (is_host(message.ends.from) || is_host(message.ends.to)) {
    needs.push_back({.gpu = message.owner, .fixed_bytes = bytes});
  }
  return needs;
}

unsigned char* Message::Side::data() {
  if (on_gpu) {
    return static_cast<unsigned char*>(on_gpu->data());
  }
  return pinned ? pinned.get() : pageable.data();
}

Message::Message(GpuSet& gpus, const CopyMessage& message, const MessageFrame& frame)
    : gpus_(gpus),
      message_(message),
      frame_(frame),
      stream_(gpus, message.owner),
      source_(make_side(message.ends.from, frame.bytes)),
      target_(make_side(message.ends.to, slot_stride(frame.bytes) * frame.slots)) {
  const bool has_host = is_host(message.ends.from) || is_host(message.ends.to);
  if (has_host) {
    scratch_ = gpus_.memory(message.owner).allocate(frame.bytes, BufferKind::plain);
  } else {
    gpus_.connect(message.ends.from, message.ends.to);
    if (gpus_.route() == CopyRoute::pinned) {
      relay_.emplace(gpus_, stream_, message.ends.to);
    }
  }
  if (frame.operation.agent == CopyAgent::kernel) {
    stream_.use();
    load_copy_kernel();
  }
  fill_source();
}

Message::Side Message::make_side(int gpu, std::uint64_t bytes) const {
  Side side;
  side.gpu = gpu;
  if (!is_host(gpu)) {
    side.on_gpu = gpus_.memory(gpu).allocate(bytes, BufferKind::plain);
  } else if (frame_.operation.is_pageable) {
    side.pageable.resize(bytes);
  } else {
    side.pinned = allocate_pinned(bytes);
  }
  return side;
}

unsigned char* Message::target(std::uint64_t slot) {
  return target_.data() + slot * slot_stride(frame_.bytes);
}

void Message::fill_source() {
  const bool from_host = is_host(message_.ends.from);
  const int gpu = from_host ? message_.owner : message_.ends.from;
  void* at = from_host ? scratch_->data() : source_.data();
  gpus_.memory(gpu).fill(at,
                         frame_.bytes,
                         Datatype::uint8,
                         pattern_of(frame_.seed, gpus_.size()),
                         from_host ? gpus_.size() : message_.ends.from,
                         0);
  gpus_.settle(gpu);
  if (from_host && frame_.bytes != 0) {
    check(cudaMemcpy(source_.data(), at, frame_.bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
  }
}

void Message::enqueue(std::uint64_t slot) {
  stream_.use();
  if (relay_) {
    relay_->enqueue(target(slot), source_.data(), frame_.bytes);
  } else if (frame_.operation.agent == CopyAgent::kernel) {
    enqueue_copy(target(slot), source_.data(), frame_.bytes, stream_.get());
  } else if (is_host(message_.ends.from) || is_host(message_.ends.to)) {
    check(cudaMemcpyAsync(
              target(slot), source_.data(), frame_.bytes, cudaMemcpyDefault, stream_.get()),
          "cudaMemcpyAsync");
  } else {
    check(cudaMemcpyPeerAsync(target(slot),
                              message_.ends.to,
                              source_.data(),
                              message_.ends.from,
                              frame_.bytes,
                              stream_.get()),
          "cudaMemcpyPeerAsync");
  }
}

void Message::enqueue_down() {
  relay_->enqueue_down(source_.data(), frame_.bytes);
}

void Message::enqueue_up() {
  relay_->enqueue_up(target(0), frame_.bytes);
}

void Message::poison(std::uint64_t slots) {
  const std::uint64_t bytes = slot_stride(frame_.bytes) * slots;
  if (is_host(message_.ends.to)) {
    std::memset(target_.data(), Memory::poison_byte, bytes);
    return;
  }
  gpus_.memory(message_.ends.to).poison(target_.data(), bytes);
  gpus_.settle(message_.ends.to);
}

std::uint64_t Message::count_wrong(std::uint64_t slots) {
  std::uint64_t wrong = 0;
  for (std::uint64_t slot = 0; slot < slots; ++slot) {
    wrong += wrong_in(target(slot));
  }
  return wrong;
}

std::uint64_t Message::wrong_in(unsigned char* target) {
  const bool to_host = is_host(message_.ends.to);
  const int gpu = to_host ? message_.owner : message_.ends.to;
  Memory& memory = gpus_.memory(gpu);
  void* at = target;
  if (to_host) {
    at = scratch_->data();
    check(cudaMemcpy(at, target, frame_.bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    // From pageable memory that returns before the last bytes have arrived, and the comparison runs
    // on a stream that does not wait for this one.
    check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  }
  Segment segment;
  segment.kind = Segment::Kind::copied;
  segment.count = frame_.bytes;
  segment.source = is_host(message_.ends.from) ? gpus_.size() : message_.ends.from;
  return memory.count_wrong(at, Datatype::uint8, pattern_of(frame_.seed, gpus_.size()), segment);
}

}  // namespace viaduct
