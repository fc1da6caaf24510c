#include "copy/flag_pingpong.hpp"

#include "copy/flag_kernel.hpp"
#include "cuda/cuda_error.hpp"

#include <fmt/format.h>

namespace viaduct {

namespace {

constexpr std::uint64_t untimed_rounds = 100;
constexpr std::uint64_t limit_ns = 2'000'000'000;
constexpr std::uint64_t limit_per_round_ns = 10'000;
constexpr double ns_per_us = 1000.0;

DeviceWord make_flag(CopyStream& stream) {
  stream.use();
  load_flag_kernels();
  DeviceWord flag = make_device_word();
  check(cudaMemset(flag.get(), 0, sizeof(std::uint64_t)), "cudaMemset");
  // cudaMemset runs on a stream that the kernels do not wait for.
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  return flag;
}

}  // namespace

FlagPingPong::FlagPingPong(GpuSet& gpus, const CopyEnds& ends)
    : ping_(gpus, ends.from),
      pong_(gpus, ends.to),
      ping_flag_(make_flag(ping_)),
      pong_flag_(make_flag(pong_)),
      outcome_(allocate_pinned(sizeof(FlagOutcome))) {
  gpus.connect(ends.from, ends.to);
}

double FlagPingPong::run(std::uint64_t rounds) {
  auto* outcome = reinterpret_cast<FlagOutcome*>(outcome_.get());
  *outcome = FlagOutcome{};
  const FlagRounds order{.first = next_,
                         .untimed = untimed_rounds,
                         .timed = rounds,
                         .limit_ns = limit_ns + limit_per_round_ns * rounds};
  next_ += order.untimed + order.timed;
  pong_.use();
  enqueue_pong(pong_flag_.get(), ping_flag_.get(), order, pong_.get());
  ping_.use();
  enqueue_ping(ping_flag_.get(), pong_flag_.get(), order, outcome, ping_.get());
  ping_.synchronize();
  pong_.synchronize();
  if (outcome->gave_up != 0) {
    throw Error(ErrorKind::cuda,
                fmt::format("flags between GPU {} and GPU {}: no answer within {:.1f} s",
                            ping_.gpu(),
                            pong_.gpu(),
                            static_cast<double>(order.limit_ns) / 1e9));
  }
  return static_cast<double>(outcome->elapsed_ns) / ns_per_us / static_cast<double>(rounds) / 2;
}

}  // namespace viaduct
