#include "core/nearest.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

using Names = std::vector<std::string>;

const Names& operations() {
  static const Names names = {"all_reduce", "all_gather", "reduce_scatter", "sendrecv", "reduce"};
  return names;
}

TEST(Nearest, OrdersByDistance) {
  EXPECT_EQ(nearest("allreduce", operations()).front(), "all_reduce");
  EXPECT_EQ(nearest("send_recv", operations()), Names{"sendrecv"});
  // Distances from "abcd": 1, 2, 0 and 2 (half its length); "wxyz" is too far.
  EXPECT_EQ(nearest("abcd", {"abcx", "abxx", "abcd", "wxyz"}), (Names{"abcd", "abcx", "abxx"}));
}

TEST(Nearest, AtMostHalfTheLengthAway) {
  EXPECT_EQ(nearest("abcd", {"abxy"}), Names{"abxy"});
  EXPECT_TRUE(nearest("abcd", {"axyz"}).empty());
  EXPECT_TRUE(nearest("abc", {"axy"}).empty());
}

TEST(Nearest, ContainedNamesAreNear) {
  EXPECT_EQ(nearest("gather", {"sendrecv", "all_gather_everything"}),
            Names{"all_gather_everything"});
  EXPECT_EQ(nearest("my_long_reduce_name", {"reduce", "sendrecv"}), Names{"reduce"});
}

TEST(Nearest, ShowsThreeAtMostAndIgnoresCase) {
  EXPECT_EQ(nearest("aa", {"ab", "ac", "ad", "ae"}), (Names{"ab", "ac", "ad"}));
  EXPECT_EQ(nearest("SENDRECV", operations()), Names{"sendrecv"});
}

TEST(Nearest, NothingIsNearToNothing) {
  EXPECT_TRUE(nearest("", operations()).empty());
  EXPECT_TRUE(nearest("abc", {}).empty());
}

TEST(Nearest, MessageAsksOrListsAll) {
  EXPECT_EQ(unknown_name_message("path", "dirct", {"direct", "socket"}),
            "unknown path 'dirct'; did you mean 'direct'?");
  EXPECT_EQ(unknown_name_message("mode", "ab", {"ac", "ad"}),
            "unknown mode 'ab'; did you mean 'ac' or 'ad'?");
  EXPECT_EQ(unknown_name_message("mode", "ab", {"ac", "ad", "ae"}),
            "unknown mode 'ab'; did you mean 'ac', 'ad' or 'ae'?");
  EXPECT_EQ(unknown_name_message("mode", "qqqq", {"a", "b", "c"}),
            "unknown mode 'qqqq'; known: a, b, c");
}

}  // namespace
}  // namespace viaduct
