#include "copy/spin_gate.hpp"

#include "copy/spin_kernel.hpp"
#include "cuda/cuda_error.hpp"

#include <atomic>

namespace viaduct {

namespace {

/// Much longer than the launches of a segment take, much shorter than the deadline of a batch.
constexpr std::uint64_t limit_ns = 500'000'000;

std::uint64_t* make_words() {
  void* words = nullptr;
  // Portable: a copy of another GPU may be enqueued while this one spins on the words.
  check(cudaHostAlloc(&words, 2 * sizeof(std::uint64_t), cudaHostAllocPortable), "cudaHostAlloc");
  return static_cast<std::uint64_t*>(words);
}

}  // namespace

void SpinWordsDeleter::operator()(std::uint64_t* words) const noexcept {
  static_cast<void>(cudaFreeHost(words));
}

SpinGate::SpinGate(GpuSet& gpus, int gpu) {
  gpus.use(gpu);
  words_.reset(make_words());
  load_spin_kernel();
}

void SpinGate::hold(cudaStream_t stream) {
  words_.get()[0] = 0;
  words_.get()[1] = 0;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  enqueue_spin(words_.get(), limit_ns, stream);
}

void SpinGate::release() {
  volatile std::uint64_t* let_go = words_.get();
  *let_go = 1;
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

bool SpinGate::opened_early() const {
  const volatile std::uint64_t* gave_up = words_.get() + 1;
  return *gave_up != 0;
}

}  // namespace viaduct
