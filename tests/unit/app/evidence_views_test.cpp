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

const std::string socket_edge =
    header + "Channel 00/1 : 0[0] -> 1[1] [send] via NET/Socket/0/Shared\n";

TEST(EvidenceText, SaysThatNetMayBeInsideOneHost) {
  const std::string off = header + "NCCL_P2P_DISABLE set by environment to 1\n" + header +
                          "NCCL_SHM_DISABLE set by environment to 1.\n";
  const std::string text = evidence_text(read_nccl_log(socket_edge + off));
  EXPECT_NE(text.find("(NET inside one host if rank 1 is on h0 too, which this log does not tell"),
            std::string::npos)
      << text;
  EXPECT_EQ(evidence_text(read_nccl_log(socket_edge)).find("inside one host"), std::string::npos);
}

TEST(EvidenceText, SaysThatNetIsInsideOneHostWhereBothEndsTellIt) {
  const std::string other =
      "h0:2:2 [1] NCCL INFO Channel 00/1 : 0[0] -> 1[1] [receive] via NET/Socket/0/Shared\n";
  const NcclLog log = read_nccl_log(socket_edge + other);
  EXPECT_NE(evidence_text(log).find(" (NET inside one host)\n"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(evidence_json(log))["pairs"][0]["net_inside_host"], true);
}

TEST(EvidenceJson, LeavesOpenWhetherNetIsInsideOneHost) {
  const auto document = nlohmann::json::parse(evidence_json(read_nccl_log(socket_edge)));
  EXPECT_TRUE(document["pairs"][0]["net_inside_host"].is_null());
  const NcclLog shm = read_nccl_log(header + "Channel 00 : 0[0] -> 1[1] via SHM/direct/direct\n");
  EXPECT_EQ(nlohmann::json::parse(evidence_json(shm))["pairs"][0]["net_inside_host"], false);
}

TEST(EvidenceText, NamesCallsThatFailed) {
  const NcclLog log = read_nccl_log(socket_edge + header + "transport/net.cc:860 -> 3\n" + header +
                                    "group.cc:142 -> 3\nNCCL error a.cu:46: internal error\n");
  const std::string text = evidence_text(log);
  EXPECT_NE(text.find("calls that failed\n  h0:1: internal error (result 3) at "
                      "transport/net.cc:860, handed up to group.cc:142\n"
                      "  the program says: NCCL error a.cu:46: internal error\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("since calls failed"), std::string::npos);
  const auto failures = nlohmann::json::parse(evidence_json(log))["failures"];
  ASSERT_EQ(failures.size(), 2U);
  EXPECT_EQ(failures[0]["code"], 3);
  EXPECT_TRUE(failures[1]["host"].is_null());
}

}  // namespace
}  // namespace viaduct
