#include "baselines/import_file.hpp"
#include "baselines/text_lines.hpp"
#include "unit/baselines/baseline_fixture.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace viaduct {
namespace {

struct Prefix {
  const char* text;
  const char* stream;
};

const Prefix prefixes[] = {
    {"[1,0]<stdout>:", "1,0"},
    {"[prterun-node-1@1,3]<stdout>:", "prterun-node-1@1,3"},
    {"0: ", "0"},
    {" 12: ", "12"},
    {"[3] ", "3"},
    {"[pod/job-0/worker] ", "pod/job-0/worker"},
    {"(Worker pid=12, ip=192.0.2.1) ", "Worker pid=12, ip=192.0.2.1"},
    {"node-a: ", "node-a"},
    {"2026-01-02T03:04:05.123456Z ", ""},
    {"2026-01-02T03:04:05Z [1,2]<stdout>:", "1,2"},
};

/// The text with the prefix before every line.
std::string prefixed(const std::string& text, const std::string& prefix) {
  std::istringstream in(text);
  std::string line;
  std::string all;
  while (std::getline(in, line)) {
    all += prefix + line + "\n";
  }
  return all;
}

TEST(LauncherPrefix, IsTakenOff) {
  for (const Prefix& prefix : prefixes) {
    const std::string row = std::string(prefix.text) + "# nThread 1 nGpus 1";
    const TextLine line = without_prefix(row);
    EXPECT_EQ(line.text, "# nThread 1 nGpus 1") << prefix.text;
    EXPECT_EQ(line.stream, prefix.stream) << prefix.text;
  }
}

TEST(LauncherPrefix, IsNotSeenWhereThereIsNone) {
  for (const char* text : {"       8   2   float",
                           "host0:6482:6500 [0] NCCL INFO Channel 00/0",
                           "Device: 0, NVIDIA RTX",
                           "[P2P (Peer-to-Peer) GPU Bandwidth Latency Test]",
                           "note: 3 ranks",
                           "",
                           "[1,0",
                           ":",
                           "0:1"}) {
    EXPECT_EQ(without_prefix(text).text, text);
    EXPECT_EQ(without_prefix(text).stream, "");
  }
}

TEST(LauncherPrefix, ChangesNoValue) {
  const std::string text = text_of(own_fixture("all_reduce-direct.txt"));
  const Baseline plain = import_text(text, "plain");
  for (const Prefix& prefix : prefixes) {
    const Baseline tagged = import_text(prefixed(text, prefix.text), "tagged");
    ASSERT_EQ(tagged.runs.size(), 1U) << prefix.text;
    ASSERT_EQ(tagged.runs[0].rows.size(), 9U) << prefix.text;
    EXPECT_EQ(tagged.runs[0].ranks, 2) << prefix.text;
    EXPECT_EQ(tagged.runs[0].average_busbw, plain.runs[0].average_busbw) << prefix.text;
    EXPECT_EQ(tagged.runs[0].rows[8].in_place->time_us, plain.runs[0].rows[8].in_place->time_us);
  }
}

// Each process alone, its lines told apart by the launcher: tables that are whole, and worth
// nothing.
TEST(LauncherPrefix, TellsRanksThatEachRanAlone) {
  const std::string alone =
      "# nThread 1 nGpus 1 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 5 iters: 20 agg "
      "iters: "
      "1 validation: 1 graph: 0\n#  Rank  0 Group  0 Pid 1 on node-a device  0 [0000:1b:00] GPU\n"
      "#  size  count  type  redop  root  time  algbw  busbw  #wrong  time  algbw  busbw  #wrong\n"
      "  1048576  262144  float  sum  -1  6.00  174.76  0.00  0  0.30  3495.25  0.00  0\n"
      "# Avg bus bandwidth    : 0\n";
  std::istringstream in(alone);
  std::string line;
  std::string both;
  while (std::getline(in, line)) {
    both += "0: " + line + "\n1: " + line + "\n";
  }
  const Baseline baseline = import_text(both, "srun");
  ASSERT_EQ(baseline.runs.size(), 2U);
  EXPECT_EQ(reportable_rows(baseline), 0U);
  EXPECT_NE(why_nothing(baseline).find("2 single-rank runs"), std::string::npos);
}

TEST(LauncherPrefix, EndsOfLinesOfAnySystem) {
  TextLines lines("a\r\n\nb\nc");
  TextLine line;
  std::vector<std::string> read;
  while (lines.next(line)) {
    read.emplace_back(line.text);
  }
  EXPECT_EQ(read, (std::vector<std::string>{"a", "", "b", "c"}));
  EXPECT_EQ(line.number, 4U);
}

}  // namespace
}  // namespace viaduct
