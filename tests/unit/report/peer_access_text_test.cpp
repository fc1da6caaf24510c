#include "report/peer_access_text.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

Result copies(double low, double median, double high) {
  Result result;
  PathSpec direct;
  direct.name = "direct";
  direct.set = {{"VIADUCT_COPY_ROUTE", "peer"}};
  PathSpec staged;
  staged.name = "host-staged";
  staged.set = {{"VIADUCT_COPY_ROUTE", "driver"}};
  result.manifest.paths = {direct, staged};
  RankInfo rank;
  rank.host = "node1";
  rank.peer_access = PeerAccess{{"0000:17:00.0", "0000:3d:00.0"}, {"-y", "n-"}};
  result.manifest.rank_info = {rank};
  Verdict verdict;
  verdict.reference = "direct";
  verdict.path = "host-staged";
  verdict.engine = Engine::copy;
  verdict.c.operation = "copy_write";
  verdict.c.ends = {0, 1};
  verdict.c.size_bytes = 16;
  verdict.ratio = RatioSummary{.median = 0.9, .low = 0.8, .high = 0.95, .rounds = 8};
  result.verdicts.push_back(verdict);
  verdict.c.size_bytes = std::uint64_t{256} << 20U;
  verdict.ratio = RatioSummary{.median = median, .low = low, .high = high, .rounds = 8};
  result.verdicts.push_back(verdict);
  return result;
}

TEST(PeerAccessText, ShowsWhoCanAndWhoCannot) {
  const std::string text = peer_access_text(copies(1, 1, 1).manifest);
  EXPECT_NE(text.find("Peer access on node1"), std::string::npos) << text;
  EXPECT_NE(text.find("GPU0      -   yes  0000:17:00.0"), std::string::npos) << text;
  EXPECT_NE(text.find("GPU1     no     -  0000:3d:00.0"), std::string::npos) << text;
  EXPECT_EQ(peer_access_text(Manifest{}), "");
}

TEST(PeerAccessText, NamesAPairWhosePeerAccessBringsNothing) {
  const auto sentences = useless_peer_access(copies(0.99, 1.0, 1.01));
  ASSERT_EQ(sentences.size(), 1U);
  EXPECT_NE(sentences[0].find("GPU 0 to GPU 1"), std::string::npos) << sentences[0];
  EXPECT_NE(sentences[0].find("256M"), std::string::npos) << sentences[0];
}

TEST(PeerAccessText, JudgesByTheLargestCopyAndOnlyWhereItIsClear) {
  EXPECT_TRUE(useless_peer_access(copies(9.0, 9.1, 9.2)).empty());
  EXPECT_TRUE(useless_peer_access(copies(0.9, 1.0, 1.3)).empty());
}

TEST(PeerAccessText, SaysNothingOfCopiesWithinAGpuOrOfOtherRoutes) {
  Result within = copies(0.99, 1.0, 1.01);
  for (Verdict& verdict : within.verdicts) {
    verdict.c.ends = {1, 1};
  }
  EXPECT_TRUE(useless_peer_access(within).empty());
  Result pinned = copies(0.99, 1.0, 1.01);
  pinned.manifest.paths[1].set = {{"VIADUCT_COPY_ROUTE", "pinned"}};
  EXPECT_TRUE(useless_peer_access(pinned).empty());
}

}  // namespace
}  // namespace viaduct
