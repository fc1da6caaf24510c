// Whole logs with the values that they must give: ours, and those of others where a folder with
// them is at hand.

#include "fuzz/nccl_log_entry.hpp"
#include "paths/nccl_log_reader.hpp"
#include "paths/pair_evidence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace viaduct {
namespace {

const std::string source = VIADUCT_SOURCE_DIR;

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

NcclLog own_log(const std::string& file) {
  return read_nccl_log(text_of(source + "/tests/fixtures/nccl_logs/" + file), file);
}

/// The variable, or the folder beside the source; empty: neither.
std::filesystem::path public_folder() {
  const char* named = std::getenv("VIADUCT_PUBLIC_FIXTURES");
  const std::filesystem::path folder =
      named != nullptr ? named : source + "/../shared/fixtures/public";
  return std::filesystem::is_directory(folder) ? folder : std::filesystem::path();
}

class PublicLogs : public testing::Test {
 protected:
  void SetUp() override {
    if (public_folder().empty()) {
      GTEST_SKIP() << "no folder of public logs; name one in VIADUCT_PUBLIC_FIXTURES";
    }
  }

  /// The log whose file name begins so.
  static NcclLog read(const std::string& begin) {
    for (const auto& entry : std::filesystem::directory_iterator(public_folder())) {
      if (entry.path().filename().string().starts_with(begin)) {
        return read_nccl_log(text_of(entry.path()), begin);
      }
    }
    ADD_FAILURE() << "no file " << begin;
    return {};
  }
};

/// What all pairs of a log have in common.
void expect_pairs(const NcclLog& log,
                  std::size_t count,
                  LogTransport transport,
                  const std::string& detail,
                  std::size_t channels) {
  const auto pairs = join_pairs(log);
  ASSERT_EQ(pairs.size(), count);
  for (const PairEvidence& pair : pairs) {
    ASSERT_EQ(pair.uses.size(), 1U);
    EXPECT_EQ(pair.uses[0].transport, transport);
    EXPECT_EQ(pair.uses[0].detail, detail);
    EXPECT_EQ(pair.uses[0].channels.size(), channels);
    EXPECT_TRUE(pair.conflicts.empty());
  }
}

bool has_value(const NcclLog& log, const std::string& name, const std::string& value) {
  return std::any_of(log.variables.begin(), log.variables.end(), [&](const LogVariable& variable) {
    return variable.name == name && variable.value == value;
  });
}

bool has_cause(const NcclLog& log, const std::string& words) {
  return std::any_of(log.warnings.begin(), log.warnings.end(), [&words](const LogWarning& warning) {
    return warning.cause.find(words) != std::string::npos;
  });
}

TEST(OwnLogs, DirectIsP2pBothWays) {
  const NcclLog log = own_log("direct.log");
  EXPECT_EQ(log.lines.edges, 64U);
  EXPECT_EQ(log.lines.torn, 0U);
  expect_pairs(log, 2, LogTransport::p2p, "CUMEM", 32);
  EXPECT_EQ(log.versions.begin()->first, "2.28.3+cuda13.0");
}

TEST(OwnLogs, LevelNvlIsP2pAndConfirmed) {
  const NcclLog log = own_log("level-nvl.log");
  expect_pairs(log, 2, LogTransport::p2p, "CUMEM", 32);
  EXPECT_TRUE(has_value(log, "NCCL_P2P_LEVEL", "NVL"));
}

TEST(OwnLogs, P2pDisabledIsSharedMemory) {
  const NcclLog log = own_log("p2p-disabled.log");
  expect_pairs(log, 2, LogTransport::shm, "direct/direct", 2);
  EXPECT_TRUE(has_value(log, "NCCL_P2P_DISABLE", "1"));
  EXPECT_FALSE(log.p2p_types.at(0).all_direct);
}

TEST(OwnLogs, BothDisabledIsSocketInsideTheHost) {
  const NcclLog log = own_log("p2p-and-shm-disabled.log");
  expect_pairs(log, 2, LogTransport::net, "Socket/0", 2);
  for (const PairEvidence& pair : join_pairs(log)) {
    EXPECT_TRUE(pair.is_net_inside_host());
    EXPECT_TRUE(pair.uses[0].shared && pair.uses[0].has_send_line && pair.uses[0].has_receive_line);
    EXPECT_EQ(gdrdma_of(pair.uses[0]), GpuDirect::no);
  }
  EXPECT_TRUE(has_value(log, "NCCL_SHM_DISABLE", "1"));
  EXPECT_EQ(log.communicators.at(0).nodes, 2);
}

TEST(OwnLogs, CorpusOfTheFuzzerHolds) {
  int inputs = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(source + "/tests/fuzz/corpus/nccl_log")) {
    const std::string text = text_of(entry.path());
    fuzz::read_log_input(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    ++inputs;
  }
  EXPECT_GE(inputs, 7);
}

TEST_F(PublicLogs, OldSharedMemoryThatRanFull) {
  const NcclLog log = read("21_");
  expect_pairs(log, 5, LogTransport::shm, "direct shared memory", 1);
  EXPECT_EQ(join_pairs(log)[0].from_device, "1a000");
  EXPECT_TRUE(has_cause(log, "no space"));
  EXPECT_TRUE(has_cause(log, "no peer access"));
}

TEST_F(PublicLogs, DirectPointerThenAFailure) {
  const NcclLog log = read("22_");
  expect_pairs(log, 2, LogTransport::p2p, "direct pointer", 4);
  EXPECT_TRUE(has_value(log, "NCCL_P2P_LEVEL", "NVL"));
  EXPECT_TRUE(has_cause(log, "stub"));
}

TEST_F(PublicLogs, TornLinesOfRay) {
  const NcclLog log = read("23_");
  EXPECT_EQ(log.lines.edges, 7U);
  EXPECT_EQ(log.lines.torn, 4U);
  EXPECT_EQ(log.lines.headless, 1U);
  int gdrdma = 0;
  for (const PairEvidence& pair : join_pairs(log)) {
    EXPECT_TRUE(pair.conflicts.empty());
    for (const PathUse& use : pair.uses) {
      gdrdma += gdrdma_of(use) == GpuDirect::yes ? 1 : 0;
    }
  }
  EXPECT_EQ(gdrdma, 4);
}

TEST_F(PublicLogs, OnAndOffOnAPairBehindOneHostBridge) {
  const NcclLog on = read("26a_");
  expect_pairs(on, 2, LogTransport::p2p, "CUMEM", 1);
  const NcclLog off = read("26b_");
  expect_pairs(off, 1, LogTransport::shm, "direct/direct", 1);
  for (const NcclLog& log : {on, off}) {
    EXPECT_EQ(log.p2p_types.at(0).all_cuda, true);
  }
}

TEST_F(PublicLogs, AllDirectIsNoProof) {
  const NcclLog log = read("27_");
  expect_pairs(log, 1, LogTransport::net, "Socket/0", 1);
  const PathUse use = join_pairs(log)[0].uses[0];
  EXPECT_TRUE(use.has_send_line && !use.has_receive_line && use.shared);
  EXPECT_TRUE(log.p2p_types.at(0).all_direct);
  EXPECT_EQ(log.communicators.at(0).nodes, 2);
  EXPECT_TRUE(has_value(log, "NCCL_P2P_DISABLE", "1") && has_value(log, "NCCL_SHM_DISABLE", "1"));
  EXPECT_EQ(log.warnings.at(0).source, "misc/socket.cc:537");
  ASSERT_EQ(log.failures.size(), 2U);
  EXPECT_EQ(log.failures[0].meaning, "internal error");
  EXPECT_EQ(log.failures[0].first, "transport/net_socket.cc:399");
  EXPECT_EQ(log.failures[0].last, "enqueue.cc:3014");
  EXPECT_EQ(log.failures[1].code, 3);
  EXPECT_TRUE(log.failures[1].text.starts_with("NCCL error a.cu:46: internal error"));
  EXPECT_TRUE(join_pairs(log)[0].may_be_net_inside_host());
  EXPECT_FALSE(join_pairs(log)[0].is_net_inside_host());
}

TEST_F(PublicLogs, TuningLinesWithoutAPath) {
  const NcclLog log = read("28_");
  EXPECT_TRUE(join_pairs(log).empty());
  EXPECT_TRUE(has_value(log, "NCCL_P2P_DISABLE", "1"));
  ASSERT_EQ(log.tuning.size(), 4U);
  for (const auto& [tuning, lines] : log.tuning) {
    EXPECT_EQ(tuning.algorithm, "RING");
    EXPECT_EQ(tuning.protocol, tuning.bytes <= 16384 ? "LL" : "SIMPLE");
  }
}

TEST_F(PublicLogs, P2pAndNvlsBothSetUp) {
  const NcclLog log = read("29_");
  const auto pairs = join_pairs(log);
  ASSERT_EQ(pairs.size(), 4U);
  EXPECT_EQ(pairs[0].uses[0].detail, "IPC");
  EXPECT_EQ(pairs[3].uses[0].transport, LogTransport::nvls);
  EXPECT_EQ(log.nvls.size(), 3U);
}

TEST_F(PublicLogs, NetworkWithABlankInItsName) {
  const NcclLog log = read("16_");
  expect_pairs(log, 2, LogTransport::net, "AWS Libfabric/0", 2);
  const auto pairs = join_pairs(log);
  EXPECT_EQ(pairs[0].from_host, "worker-0");
  EXPECT_EQ(pairs[0].to_host, "worker-1");
  EXPECT_EQ(gdrdma_of(pairs[0].uses[0]), GpuDirect::no);
}

TEST_F(PublicLogs, LineShapesOfRecentVersions) {
  const NcclLog log = read("32_");
  EXPECT_TRUE(log.versions.contains("2.30.3+cuda13.0"));
  EXPECT_TRUE(has_cause(log, "no network transport"));
}

}  // namespace
}  // namespace viaduct
