#include "app/alike_paths.hpp"

#include "paths/presets.hpp"
#include "support/threaded_control.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

using testing::run_ranks;
using testing::ThreadedControl;
using testing::ThreadedWorld;

const std::vector<std::string> ids{"0000:17:00.0", "0000:18:00.0"};

/// A host of two GPUs; `joined` empty: NVML does not say.
NvmlReport host(std::optional<bool> joined) {
  NvmlReport report;
  report.gpus.resize(2);
  for (std::size_t i = 0; i < 2; ++i) {
    report.gpus[i].bus_id = ids[i];
    if (joined) {
      report.nvlink[{ids[i], ids[1 - i]}] = *joined;
    }
  }
  return report;
}

std::vector<PathSpec> levels() {
  std::vector<PathSpec> paths;
  for (const char* name : {"p2p-nvl", "p2p-sys", "host-staged"}) {
    paths.push_back(preset_path(name, Engine::nccl));
  }
  PathSpec off = preset_path("p2p-nvl", Engine::nccl);
  off.name = "off";
  off.set["NCCL_P2P_LEVEL"] = "LOC";
  paths.push_back(off);
  return paths;
}

/// What rank 0 gets when the second of two ranks sees `second`.
FoldedPaths folded(const NvmlReport& first, const NvmlReport& second) {
  FoldedPaths result;
  ThreadedWorld world(2);
  const auto thrown = run_ranks(world, [&](ThreadedControl& control) {
    const Environment inherited;
    const WorkerSettings settings;
    FoldedPaths own = agree_on_alike_paths(control,
                                           levels(),
                                           {.inherited = inherited,
                                            .settings = settings,
                                            .gpus = control.rank() == 0 ? first : second});
    if (control.rank() == 0) {
      result = std::move(own);
    }
  });
  EXPECT_FALSE(thrown[0]);
  EXPECT_FALSE(thrown[1]);
  return result;
}

TEST(AlikePaths, LevelsAreRunOnceWhereNvlinkJoinsAll) {
  const FoldedPaths found = folded(host(true), host(true));
  ASSERT_EQ(found.run.size(), 3U);
  EXPECT_EQ(found.run[0].name, "p2p-nvl");
  EXPECT_EQ(found.run[2].name, "off");
  ASSERT_EQ(found.notes.size(), 1U);
  EXPECT_EQ(found.notes[0],
            "path p2p-sys is not run: NVLink joins all GPUs of each host, so its P2P level allows "
            "the same as that of p2p-nvl, whose numbers stand for both");
}

TEST(AlikePaths, LevelsStayApartWhereAnyHostDiffersOrDoesNotSay) {
  EXPECT_EQ(folded(host(true), host(false)).run.size(), 4U);
  EXPECT_EQ(folded(host(std::nullopt), host(true)).run.size(), 4U);
  EXPECT_EQ(folded(NvmlReport{}, NvmlReport{}).run.size(), 4U);
}

TEST(AgreeOnNvlink, EachRankSpeaksForItsOwnGpuWithinItsHost) {
  ThreadedWorld world(4);
  const auto thrown = run_ranks(world, [&](ThreadedControl& control) {
    std::vector<RankFacts> facts(4);
    std::vector<WorkerFacts> workers(4);
    for (std::size_t rank = 0; rank < 4; ++rank) {
      facts[rank].first_of_host = rank < 2 ? 0 : 2;
      workers[rank].bus_id = ids[rank % 2];
    }
    const NvlinkMap map = agree_on_nvlink(control, host(control.rank() < 2), facts, workers);
    if (control.rank() == 0) {
      EXPECT_EQ(map.reach({0, 1}), NvlinkReach::every_pair);
      EXPECT_EQ(map.reach({2, 3}), NvlinkReach::not_every_pair);
      // Both hosts have a GPU of that bus id: it is not the same GPU.
      EXPECT_EQ(map.reach({0, 3}), NvlinkReach::unknown);
    }
  });
  for (const auto& one : thrown) {
    EXPECT_FALSE(one);
  }
}

}  // namespace
}  // namespace viaduct
