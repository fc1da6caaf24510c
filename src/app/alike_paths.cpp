#include "app/alike_paths.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace viaduct {

namespace {

constexpr double agree_s = 60;

FoldedPaths fold_by(Control& control,
                    const std::vector<PathSpec>& paths,
                    const RankView& view,
                    AlikeBy alike,
                    const std::string& why) {
  const std::string own =
      to_text(first_with_same_environment(view.inherited, paths, view.settings, alike));
  std::vector<std::vector<std::size_t>> firsts;
  for (const std::string& text : control.all_gather(own, Deadline::after(agree_s))) {
    firsts.push_back(places_from_text(text));
  }
  return fold_paths(paths, firsts, why);
}

bool has_nvlink_everywhere(Control& control, const NvmlReport& gpus) {
  std::vector<std::string> bus_ids;
  for (const NvmlGpu& gpu : gpus.gpus) {
    bus_ids.push_back(gpu.bus_id);
  }
  const bool is_joined = !bus_ids.empty() && all_over_nvlink(gpus, bus_ids).value_or(false);
  const auto all = control.all_gather(is_joined ? "yes" : "no", Deadline::after(agree_s));
  return std::all_of(all.begin(), all.end(), [](const auto& one) { return one == "yes"; });
}

/// "1" joined, "0" not, "-" not known, by rank.
std::string links_of(std::size_t own,
                     const NvmlReport& gpus,
                     const std::vector<RankFacts>& facts,
                     const std::vector<WorkerFacts>& workers) {
  std::string row;
  for (std::size_t peer = 0; peer < workers.size(); ++peer) {
    const auto found = facts[peer].first_of_host == facts[own].first_of_host
                           ? gpus.nvlink.find({workers[own].bus_id, workers[peer].bus_id})
                           : gpus.nvlink.end();
    row += found == gpus.nvlink.end() ? '-' : found->second ? '1' : '0';
  }
  return row;
}

}  // namespace

FoldedPaths agree_on_alike_paths(Control& control,
                                 const std::vector<PathSpec>& paths,
                                 const RankView& view) {
  FoldedPaths folded = fold_by(control, paths, view, AlikeBy::environment, "same environment as");
  if (has_nvlink_everywhere(control, view.gpus)) {
    FoldedPaths again =
        fold_by(control,
                folded.run,
                view,
                AlikeBy::nvlink_everywhere,
                "NVLink joins all GPUs of each host, so its P2P level allows the same as that of");
    folded.run = std::move(again.run);
    folded.notes.insert(folded.notes.end(), again.notes.begin(), again.notes.end());
  }
  return folded;
}

NvlinkMap agree_on_nvlink(Control& control,
                          const NvmlReport& gpus,
                          const std::vector<RankFacts>& facts,
                          const std::vector<WorkerFacts>& workers) {
  const auto own = static_cast<std::size_t>(control.rank());
  const auto rows =
      control.gather(links_of(own, gpus, facts, workers), 0, Deadline::after(agree_s));
  NvlinkMap map;
  for (std::size_t from = 0; from < rows.size(); ++from) {
    for (std::size_t to = 0; to < rows[from].size(); ++to) {
      if (rows[from][to] != '-') {
        map.set(static_cast<int>(from), static_cast<int>(to), rows[from][to] == '1');
      }
    }
  }
  return map;
}

}  // namespace viaduct
