// A job's log of 100 MB with a table at its end must be read in seconds.

#include "baselines/import_file.hpp"
#include "unit/baselines/baseline_fixture.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace viaduct {
namespace {

constexpr std::size_t log_bytes = 100'000'000;
/// A busy machine of the tests may be many times slower than an idle one, which takes about one.
constexpr double most_s = 30;

double seconds_to_read(const std::string& text, Baseline& baseline) {
  const auto begin = std::chrono::steady_clock::now();
  baseline = import_text(text, "large.log");
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST(LargeFile, LogBeforeTheTable) {
  std::string text;
  text.reserve(log_bytes + 10000);
  while (text.size() < log_bytes) {
    text +=
        "[1,0]<stdout>:node-a:6482:6500 [0] NCCL INFO Channel 00/0 : 0[1000] -> 1[9000] via P2P\n";
  }
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
  text.reserve(log_bytes + 10000);
  while (text.size() < log_bytes) {
    text += "node-a:6482:6500 [0] NCCL INFO Channel 00/0 : 0[1000] -> 1[9000] via P2P, step 12\n";
  }
  Baseline baseline;
  EXPECT_LT(seconds_to_read(text + footers, baseline), most_s);
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
