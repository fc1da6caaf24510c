#include "core/cpu_list.hpp"

#include <gtest/gtest.h>

namespace viaduct {

TEST(CpuList, ReadsWhatLinuxWrites) {
  EXPECT_EQ(parse_cpu_list("0-3,8"), (std::set<int>{0, 1, 2, 3, 8}));
  EXPECT_EQ(parse_cpu_list("5\n"), (std::set<int>{5}));
  EXPECT_EQ(parse_cpu_list("8,0-1,1"), (std::set<int>{0, 1, 8}));
  EXPECT_TRUE(parse_cpu_list("").empty());
  EXPECT_TRUE(parse_cpu_list("\n").empty());
}

TEST(CpuList, WritesRangesAndSingles) {
  EXPECT_EQ(format_cpu_list({}), "");
  EXPECT_EQ(format_cpu_list({7}), "7");
  EXPECT_EQ(format_cpu_list({0, 1, 2, 3, 8, 10, 11}), "0-3,8,10-11");
}

TEST(CpuList, SurvivesReadingAndWriting) {
  for (const char* list : {"0", "0-127", "0-23,48-71", "1,3,5"}) {
    EXPECT_EQ(format_cpu_list(parse_cpu_list(list)), list);
  }
}

TEST(CpuList, RefusesWhatIsNoList) {
  for (const char* list :
       {"a", "1-", "-1", "3-1", "1,", ",1", "1 2", "0-3;8", "99999999999", "1048577"}) {
    EXPECT_THROW(parse_cpu_list(list), Error) << list;
  }
  try {
    parse_cpu_list("0-x");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(error.message(), "'0-x' is not a list of CPUs; the right form is 0-3,8");
  }
}

}  // namespace viaduct
