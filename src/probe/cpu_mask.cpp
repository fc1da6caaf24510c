#include "probe/cpu_mask.hpp"

#include "core/error.hpp"

#include <cerrno>
#include <memory>
#include <sched.h>
#include <system_error>
#include <thread>

namespace viaduct {

namespace {

/// No kernel is built for more; cpu_set_t alone ends at 1024.
constexpr std::size_t most_cpus = 8192;

struct FreeMask {
  void operator()(cpu_set_t* mask) const noexcept { CPU_FREE(mask); }
};

using Mask = std::unique_ptr<cpu_set_t, FreeMask>;

std::size_t mask_bytes() {
  return CPU_ALLOC_SIZE(most_cpus);
}

Mask empty_mask() {
  Mask mask(CPU_ALLOC(most_cpus));
  if (!mask) {
    throw Error(ErrorKind::internal, "no memory for a CPU mask");
  }
  CPU_ZERO_S(mask_bytes(), mask.get());
  return mask;
}

}  // namespace

std::set<int> thread_cpus(pid_t thread) {
  const Mask mask = empty_mask();
  if (::sched_getaffinity(thread, mask_bytes(), mask.get()) != 0) {
    throw Error(ErrorKind::internal,
                "sched_getaffinity: " + std::generic_category().message(errno));
  }
  std::set<int> cpus;
  for (std::size_t cpu = 0; cpu < most_cpus; ++cpu) {
    if (CPU_ISSET_S(cpu, mask_bytes(), mask.get())) {
      cpus.insert(cpus.end(), static_cast<int>(cpu));
    }
  }
  return cpus;
}

bool set_thread_cpus(pid_t thread, const std::set<int>& cpus) {
  const Mask mask = empty_mask();
  for (const int cpu : cpus) {
    if (cpu >= 0 && static_cast<std::size_t>(cpu) < most_cpus) {
      CPU_SET_S(static_cast<std::size_t>(cpu), mask_bytes(), mask.get());
    }
  }
  return ::sched_setaffinity(thread, mask_bytes(), mask.get()) == 0;
}

std::set<int> allowed_cpus() {
  // The kernel cuts a mask of all CPUs down to what the cgroup allows. A mask belongs to a thread,
  // so a thread that ends at once can be asked without a change for anyone.
  std::set<int> cpus = thread_cpus(0);
  std::thread asked([&cpus] {
    std::set<int> every;
    for (std::size_t cpu = 0; cpu < most_cpus; ++cpu) {
      every.insert(every.end(), static_cast<int>(cpu));
    }
    if (set_thread_cpus(0, every)) {
      cpus = thread_cpus(0);
    }
  });
  asked.join();
  return cpus;
}

}  // namespace viaduct
