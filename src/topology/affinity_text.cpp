#include "topology/affinity_text.hpp"

#include "core/cpu_list.hpp"
#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace viaduct {
namespace {

bool is_cpu_list(const std::string& word) {
  try {
    return !parse_cpu_list(word).empty();
  } catch (const Error&) {
    return false;
  }
}

/// Looks like numbers: only digits, commas and dashes.
bool is_numeric(const std::string& word) {
  return std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isdigit(c) != 0 || c == ',' || c == '-';
  });
}

/// One number. Several nodes or N/A: not known.
void put_node(HostTopology& topology, GpuTopology& gpu, const MatrixRow& row) {
  const std::string& word = row.behind[1];
  int node = -1;
  const char* end = word.data() + word.size();
  const auto [at, error] = std::from_chars(word.data(), end, node);
  const bool is_number = at == end && error == std::errc();
  if (is_number && node >= 0 && node <= highest_number) {
    gpu.numa_node = node;
    return;
  }
  const bool is_one = word.find_first_not_of("0123456789") == std::string::npos;
  if (is_numeric(word) && (is_one || !is_cpu_list(word))) {
    topology.notes.push_back(
        fmt::format("line {}: NUMA node '{}' of {} cannot be read, not known; the right form is a "
                    "number from 0 to {}",
                    row.line,
                    word,
                    row.device,
                    highest_number));
  }
}

}  // namespace

void put_affinity(HostTopology& topology, GpuTopology& gpu, const MatrixRow& row) {
  if (row.behind.empty()) {
    return;
  }
  const std::string& cpus = row.behind[0];
  if (!is_cpu_list(cpus)) {
    if (is_numeric(cpus)) {
      topology.notes.push_back(
          fmt::format("line {}: CPUs '{}' of {} cannot be read, not known; the right form is 0-3,8",
                      row.line,
                      cpus,
                      row.device));
    }
    return;
  }
  gpu.cpus = cpus;
  gpu.numa_node = -1;
  if (row.behind.size() > 1) {
    put_node(topology, gpu, row);
  }
}

}  // namespace viaduct
