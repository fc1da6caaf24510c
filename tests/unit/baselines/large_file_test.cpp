// A job's log of 100 MB with a table at its end must be read in seconds.

#include "baselines/import_file.hpp"
#include "unit/baselines/baseline_fixture.hpp"

#include <gtest/gtest.h>

#include <ctime>

namespace viaduct {
namespace {

constexpr std::size_t log_bytes = 100'000'000;
/// Of this process, whatever else the machine does: about one second is usual.
constexpr double most_s = 10;

double seconds_to_read(const std::string& text, Baseline& baseline) {
  const std::clock_t begin = std::clock();
  baseline = import_text(text, "large.log");
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// So many bytes of one line, whole lines only.
std::string log_of(const std::string& line, std::size_t bytes) {
  constexpr std::size_t lines_of_block = 10000;
  std::string block;
  for (std::size_t i = 0; i < lines_of_block; ++i) {
    block += line;
  }
  std::string text;
  text.reserve(bytes + 2 * block.size());
  while (text.size() < bytes) {
    text += block;
  }
  return text;
}

TEST(LargeFile, LogBeforeTheTable) {
  std::string text = log_of(
      "[1,0]<stdout>:node-a:6482:6500 [0] NCCL INFO Channel 00/0 : 0[1000] -> 1[9000] via P2P\n",
      log_bytes);
  text += text_of(own_fixture("all_reduce-direct.txt"));
  Baseline baseline;
  EXPECT_LT(seconds_to_read(text, baseline), most_s);
  ASSERT_EQ(baseline.runs.size(), 1U);
  EXPECT_EQ(baseline.runs[0].rows.size(), 9U);
}

// The table is open while the log goes on: every line may be a row.
TEST(LargeFile, LogInsideTheTable) {
  std::string text = text_of(own_fixture("all_reduce-direct.txt"));
  const std::size_t rows = text.find("# Out of bounds");
  const std::string footers = text.substr(rows);
  text.resize(rows);
  text += log_of("node-a:6482:6500 [0] NCCL INFO Channel 00/0 : 0[1000] -> 1[9000], step 12\n",
                 log_bytes / 4);
  text += footers;
  Baseline baseline;
  EXPECT_LT(seconds_to_read(text, baseline), most_s);
  ASSERT_EQ(baseline.runs.size(), 1U);
  EXPECT_EQ(baseline.runs[0].rows.size(), 9U);
  EXPECT_TRUE(baseline.runs[0].notes.empty());
}

// Marks of every format on one line: nothing may look at the line once for each of them.
TEST(LargeFile, OneLineOfMarks) {
  std::string text = "x ";
  while (text.size() < 20'000'000) {
    text += "algbw minBytes inPlace (column) P2P= ";
  }
  text += "\n" + text_of(own_fixture("all_reduce-direct.txt"));
  Baseline baseline;
  EXPECT_LT(seconds_to_read(text, baseline), most_s);
  EXPECT_EQ(baseline.runs.at(0).rows.size(), 9U);
}

}  // namespace
}  // namespace viaduct
