#include "mpi/cpu_affinity.hpp"

#include <memory>
#include <sched.h>

namespace viaduct {

namespace {

struct FreeSet {
  void operator()(cpu_set_t* set) const noexcept { CPU_FREE(set); }
};

/// Machines with more cores than a plain cpu_set_t holds exist.
constexpr int most_cpus = 8192;

std::string run_text(int first, int last) {
  return first == last ? std::to_string(first) : std::to_string(first) + "-" + std::to_string(last);
}

}  // namespace

std::string own_cpu_list() {
  const std::unique_ptr<cpu_set_t, FreeSet> set(CPU_ALLOC(most_cpus));
  const std::size_t bytes = CPU_ALLOC_SIZE(most_cpus);
  CPU_ZERO_S(bytes, set.get());
  if (sched_getaffinity(0, bytes, set.get()) != 0) {
    return "";
  }
  std::string list;
  for (int cpu = 0; cpu < most_cpus; ++cpu) {
    if (!CPU_ISSET_S(static_cast<std::size_t>(cpu), bytes, set.get())) {
      continue;
    }
    const int first = cpu;
    while (cpu + 1 < most_cpus &&
           CPU_ISSET_S(static_cast<std::size_t>(cpu) + 1, bytes, set.get())) {
      ++cpu;
    }
    list += (list.empty() ? "" : ",") + run_text(first, cpu);
  }
  return list;
}

}  // namespace viaduct
