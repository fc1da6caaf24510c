#include "probe/gpus.hpp"
#include "topology/plain_lines.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>

namespace viaduct {

namespace {

/// Place in the report of the GPU that an entry names; empty: CUDA ends its list here.
std::optional<std::size_t> gpu_of(const NvmlReport& report, std::string_view entry) {
  if (entry.substr(0, 4) == "GPU-") {
    // The first characters of a UUID do, as long as only one GPU begins so.
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < report.gpus.size(); ++i) {
      if (report.gpus[i].uuid.compare(0, entry.size(), entry) == 0) {
        if (found) {
          return std::nullopt;
        }
        found = i;
      }
    }
    return found;
  }
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(entry.data(), entry.data() + entry.size(), index);
  const bool is_index = error == std::errc() && end == entry.data() + entry.size();
  if (!is_index || index >= report.gpus.size()) {
    return std::nullopt;
  }
  return index;
}

/// CUDA shows a process one instance of a divided GPU at most.
std::vector<NvmlGpu> visible_instance(const NvmlReport& report) {
  const auto divided = std::find_if(
      report.gpus.begin(), report.gpus.end(), [](const NvmlGpu& gpu) { return gpu.mig_enabled; });
  return divided == report.gpus.end() ? std::vector<NvmlGpu>{} : std::vector<NvmlGpu>{*divided};
}

}  // namespace

std::vector<NvmlGpu> visible_gpu_list(const NvmlReport& report,
                                      const std::string& cuda_visible_devices) {
  if (cuda_visible_devices == "(unset)") {
    return report.gpus;
  }
  std::vector<NvmlGpu> visible;
  std::set<std::size_t> seen;
  std::string_view rest = cuda_visible_devices;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view entry = without_outer_blanks(rest.substr(0, comma));
    if (entry.substr(0, 4) == "MIG-") {
      return seen.empty() ? visible_instance(report) : visible;
    }
    const std::optional<std::size_t> gpu = gpu_of(report, entry);
    if (!gpu) {
      break;
    }
    if (!seen.insert(*gpu).second) {
      // A GPU given twice is an error to CUDA: it then shows none.
      return {};
    }
    visible.push_back(report.gpus[*gpu]);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return visible;
}

int visible_gpus(const NvmlReport& report, const std::string& cuda_visible_devices) {
  return static_cast<int>(visible_gpu_list(report, cuda_visible_devices).size());
}

}  // namespace viaduct
