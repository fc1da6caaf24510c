#include "baselines/given_facts.hpp"

#include "core/error.hpp"
#include "unit/baselines/baseline_fixture.hpp"

#include <gtest/gtest.h>

#include <string>

namespace viaduct {
namespace {

/// A table of sums without a name: algbw as given, busbw = factor x algbw.
Baseline table_of(double algbw, double factor) {
  Baseline baseline;
  baseline.file = "t.txt";
  BaselineRow row;
  row.line = 4;
  row.size_bytes = 1 << 30;
  row.datatype = "float32";
  row.out_of_place.emplace();
  row.out_of_place->algbw_gbs = algbw;
  row.out_of_place->busbw_gbs = algbw * factor;
  baseline.runs.emplace_back();
  baseline.runs[0].rows = {row};
  return baseline;
}

std::string refusal_of(const GivenFacts& given, Baseline baseline) {
  try {
    apply_given(given, baseline);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.message();
  }
  return "";
}

TEST(GivenFacts, StandWhereTheSourceSaysNothing) {
  Baseline baseline = table_of(100, 1.5);
  apply_given({4, "AllReduce"}, baseline);
  EXPECT_EQ(baseline.runs[0].ranks, 4);
  EXPECT_EQ(baseline.runs[0].operation, "all_reduce");
  EXPECT_EQ(baseline.runs[0].rows[0].operation, "all_reduce");
  EXPECT_TRUE(has_note(baseline.runs[0], "UNKNOWN", "how many ranks ran; 4 as given"));
  EXPECT_TRUE(has_note(baseline.runs[0], "UNKNOWN", "which operation ran; all_reduce as given"));
}

TEST(GivenFacts, AreHeldAgainstBusbwOverAlgbw) {
  EXPECT_EQ(refusal_of({2, "all_reduce"}, table_of(0.96, 1.5)),
            "t.txt: --ranks 2 --operation all_reduce: busbw / algbw is 1.500 at 1G (line 4), "
            "all_reduce on 2 ranks gives 1.000");
  EXPECT_EQ(refusal_of({4, "all_reduce"}, table_of(0.96, 1.5)), "");
  EXPECT_EQ(refusal_of({32, "all_reduce"}, table_of(100, 1.9375)), "");
  EXPECT_NE(refusal_of({64, "all_reduce"}, table_of(100, 1.9375)), "");
  EXPECT_NE(refusal_of({1, ""}, table_of(100, 1.5)), "");
  EXPECT_EQ(refusal_of({2, "all_reduce"}, table_of(0.02, 1.5)), "");  // two decimals say too little
}

TEST(GivenFacts, AreHeldAgainstEveryRow) {
  const Baseline baseline =
      own_baseline("constructed_53_sendrecv_inplace_NA_and_alltoall_inplace_absurd.txt");
  EXPECT_NE(refusal_of({2, "sendrecv"}, baseline).find("0.875 at 1G (line 5), sendrecv on 2 ranks"),
            std::string::npos);
  EXPECT_NE(refusal_of({8, "alltoall"}, baseline).find("1.000 at 128M (line 4)"),
            std::string::npos);
}

TEST(GivenFacts, DoNotContradictWhatTheSourceSays) {
  const Baseline baseline = own_baseline("all_reduce-direct.txt");
  EXPECT_NE(refusal_of({8, ""}, baseline).find("the source itself says 2"), std::string::npos);
  EXPECT_NE(refusal_of({{}, "broadcast"}, baseline).find("the source itself says all_reduce"),
            std::string::npos);
  EXPECT_EQ(refusal_of({2, "all_reduce"}, baseline), "");
  EXPECT_NE(refusal_of({{}, "al_reduce"}, baseline).find("'all_reduce'"), std::string::npos);
}

TEST(GivenFacts, NeedNoNoteWhereTheSourceSaysTheSame) {
  Baseline baseline = own_baseline("all_reduce-direct.txt");
  apply_given({2, "all_reduce"}, baseline);
  EXPECT_TRUE(baseline.runs[0].notes.empty());
}

}  // namespace
}  // namespace viaduct
