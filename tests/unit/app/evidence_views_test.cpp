#include "app/evidence_views.hpp"

#include "paths/nccl_log_reader.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace viaduct {
namespace {

const std::string header = "h0:1:1 [0] NCCL INFO ";

TEST(EvidenceJson, HasTheKeysThatProgramsRead) {
  const NcclLog log = read_nccl_log(header + "Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM\n" +
                                    header + "Channel 01/0 : 0[0] -> 1[1] via P2P/CUMEM\n" +
                                    header + "Channel 02/0 : 0[0] ->\n");
  const auto document = nlohmann::json::parse(evidence_json(log));
  ASSERT_EQ(document["edges"].size(), 1U);
  const auto& edge = document["edges"][0];
  EXPECT_EQ(edge["from"], 0);
  EXPECT_EQ(edge["to"], 1);
  EXPECT_EQ(edge["transport"], "P2P");
  EXPECT_EQ(edge["detail"], "CUMEM");
  EXPECT_EQ(edge["channels"], 2);
  EXPECT_TRUE(edge["gdrdma"].is_null());
  EXPECT_EQ(document["lines"]["read"], 3);
  EXPECT_EQ(document["lines"]["edges"], 2);
  EXPECT_EQ(document["lines"]["torn"], 1);
}

TEST(EvidenceJson, IsValidWhateverBytesTheLogHas) {
  const NcclLog log = read_nccl_log("h0:1:1 [0] a.cc:1 NCCL WARN \xff\xfe\x01\n");
  EXPECT_TRUE(nlohmann::json::accept(evidence_json(log)));
}

TEST(EvidenceText, NeverProvesAPathByTopology) {
  const NcclLog log =
      read_nccl_log(header + "Check P2P Type isAllDirectP2p 1 directMode 0 isAllCudaP2p 1\n");
  const std::string text = evidence_text(log);
  EXPECT_NE(text.find("proves no path"), std::string::npos);
  EXPECT_NE(text.find("isAllDirectP2p 1"), std::string::npos);
}

TEST(EvidenceText, ObeysNoControlCharacters) {
  const NcclLog log = read_nccl_log("h0:1:1 [0] a.cc:1 NCCL WARN \x07\x08 bell\n");
  const std::string text = evidence_text(log);
  EXPECT_EQ(text.find('\x07'), std::string::npos);
}

TEST(EvidenceText, SaysWhenAConnectionMayHaveFailed) {
  const std::string edge = header + "Channel 00 : 0[0] -> 1[1] via SHM/direct/direct\n";
  EXPECT_EQ(evidence_text(read_nccl_log(edge)).find("warnings"), std::string::npos);
  EXPECT_NE(evidence_text(read_nccl_log(edge + "h0:1:1 [0] a.cc:1 NCCL WARN failed\n"))
                .find("since there are warnings"),
            std::string::npos);
}

}  // namespace
}  // namespace viaduct
