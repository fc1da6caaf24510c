#include "paths/variable_notes.hpp"

#include "paths/nccl_log_reader.hpp"
#include "paths/presets.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace viaduct {
namespace {

using Notes = std::vector<std::string>;

PathSpec path_with(const std::map<std::string, std::string>& set) {
  PathSpec path;
  path.set = set;
  return path;
}

/// Two workers of one host that came up; `taken` by worker: lines "NAME=VALUE", joined by blanks.
NcclLog started(const std::string& version, const std::vector<std::string>& taken) {
  std::string text;
  for (std::size_t worker = 0; worker < taken.size(); ++worker) {
    const std::string head = fmt::format("a:{0}:1 [{0}] NCCL INFO ", worker);
    text += head + "NCCL version " + version + "\n";
    std::istringstream words(taken[worker]);
    for (std::string word; words >> word;) {
      const std::size_t at = word.find('=');
      const std::string value = word.substr(at + 1);
      // NCCL ends numbers with a full stop, and words with nothing.
      const char* end = value.find_first_not_of("0123456789x") == std::string::npos ? "." : "";
      text += head + word.substr(0, at) + " set by environment to " + value + end + "\n";
    }
    text +=
        fmt::format("{0}comm 0x1 rank {1} nRanks 2 nNodes 1 localRanks 2 localRank {1} MNNVL 0\n",
                    head,
                    worker);
    text += fmt::format(
        "{0}ncclCommInitRank comm 0x1 rank {1} nranks 2 cudaDev {1} nvmlDev {1} "
        "busId 60 commId 0x2 - Init COMPLETE\n",
        head,
        worker);
  }
  return read_nccl_log(text);
}

const char* const new_nccl = "2.28.3+cuda13.0";

TEST(VariableNotes, NothingWhereAllTookWhatWasAskedFor) {
  const PathSpec path = path_with({{"NCCL_P2P_LEVEL", "SYS"},
                                   {"NCCL_NVLS_ENABLE", "0"},
                                   {"NCCL_ALGO", "ring"},
                                   {"NCCL_NET_GDR_LEVEL", "SYS"}});
  const std::string both = "NCCL_P2P_LEVEL=SYS NCCL_NVLS_ENABLE=0 NCCL_ALGO=Ring";
  EXPECT_EQ(variable_notes(path, started(new_nccl, {both, both})), Notes{});
}

TEST(VariableNotes, NamesWhatWasTakenOtherwise) {
  const PathSpec path = path_with({{"NCCL_P2P_LEVEL", "SYS"}, {"NCCL_IB_DISABLE", "1"}});
  EXPECT_EQ(variable_notes(path,
                           started(new_nccl,
                                   {"NCCL_P2P_LEVEL=NVL NCCL_IB_DISABLE=0x1",
                                    "NCCL_P2P_LEVEL=SYS NCCL_IB_DISABLE=0"})),
            (Notes{"NCCL took NCCL_IB_DISABLE as 0 in 1 worker, the path asked for 1",
                   "NCCL took NCCL_P2P_LEVEL as NVL in 1 worker, the path asked for SYS"}));
}

TEST(VariableNotes, NamesWhatIsNotConfirmedByAVersionThatWould) {
  const PathSpec off = path_with({{"NCCL_P2P_DISABLE", "1"}, {"NCCL_P2P_LEVEL", "SYS"}});
  EXPECT_EQ(variable_notes(off, started(new_nccl, {"NCCL_P2P_DISABLE=1", ""})),
            (Notes{"1 of 2 workers do not confirm NCCL_P2P_DISABLE=1, which this NCCL does when it "
                   "takes it"}));
  EXPECT_EQ(variable_notes(off, started("2.22.3+cuda12.5", {"", ""})), Notes{});
  EXPECT_EQ(
      variable_notes(path_with({{"NCCL_NVLS_ENABLE", "0"}}), started("2.18.5+cuda12.2", {"", ""}))
          .size(),
      1U);
  // Read only when something needs it, and no log at all: nothing can be said.
  EXPECT_EQ(variable_notes(path_with({{"NCCL_NET_GDR_READ", "0"}}), started(new_nccl, {"", ""})),
            Notes{});
  EXPECT_EQ(variable_notes(off, NcclLog{}), Notes{});
}

TEST(VariableNotes, LogOfARealRunConfirmsItsVariables) {
  std::ifstream file(std::string(VIADUCT_SOURCE_DIR) +
                     "/tests/fixtures/nccl_logs/p2p-disabled.log");
  std::stringstream text;
  text << file.rdbuf();
  const NcclLog log = read_nccl_log(text.str());
  ASSERT_EQ(log.communicators.size(), 2U);
  EXPECT_EQ(variable_notes(preset_path("host-staged", Engine::nccl), log), Notes{});
  EXPECT_EQ(variable_notes(preset_path("direct", Engine::nccl), log),
            (Notes{"2 of 2 workers do not confirm NCCL_P2P_LEVEL=SYS, which this NCCL does when it "
                   "takes it"}));
}

}  // namespace
}  // namespace viaduct
