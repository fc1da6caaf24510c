#include "paths/effective_level.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace viaduct {
namespace {

std::optional<std::string> value_of(const std::string& cell) {
  if (cell == "(unset)") {
    return std::nullopt;
  }
  return cell == "(empty)" ? "" : cell;
}

/// One row for each pair of values: NCCL_P2P_DISABLE, NCCL_P2P_LEVEL, level, line in the log.
TEST(EffectiveLevel, IsWhatTheTableSays) {
  std::ifstream table(VIADUCT_SOURCE_DIR "/tests/fixtures/nccl_logs/p2p_levels.tsv");
  std::string row;
  int rows = 0;
  while (std::getline(table, row)) {
    if (row.starts_with('#')) {
      continue;
    }
    ++rows;
    SCOPED_TRACE(row);
    std::istringstream cells(row);
    std::string disable;
    std::string level;
    std::string effective;
    std::string confirmation;
    std::getline(cells, disable, '\t');
    std::getline(cells, level, '\t');
    std::getline(cells, effective, '\t');
    std::getline(cells, confirmation, '\t');
    const EffectiveLevel found = effective_p2p_level(value_of(disable), value_of(level));
    EXPECT_EQ(found.level, effective.starts_with("default") ? "" : effective);
    EXPECT_EQ(found.confirmation, confirmation == "none" ? "" : confirmation);
  }
  EXPECT_EQ(rows, 23);
}

TEST(EffectiveLevel, ReadsNumbersAsNcclDoes) {
  EXPECT_EQ(effective_p2p_level(std::nullopt, "0x2").level, "PXB");
  EXPECT_EQ(effective_p2p_level(std::nullopt, "99999999999999999999").level, "SYS");
  EXPECT_EQ(effective_p2p_level(std::nullopt, "-1").level, "");
  EXPECT_EQ(effective_p2p_level("", "NVL").level, "NVL");
}

}  // namespace
}  // namespace viaduct
