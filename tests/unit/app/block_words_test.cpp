#include "app/block_words.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

using Words = std::vector<std::string>;

TEST(BlockWords, NameThePath) {
  EXPECT_EQ(words_of_block({"quick", "--engine", "mpi"}, "tcp"),
            (Words{"quick", "--engine", "mpi", "--paths", "tcp"}));
}

TEST(BlockWords, ReplaceThePathsAndOpenThemOnce) {
  EXPECT_EQ(
      words_of_block({"--paths", "tcp,single-copy", "all_reduce", "--reopen=3", "-b", "8"}, "tcp"),
      (Words{"all_reduce", "-b", "8", "--paths", "tcp"}));
  EXPECT_EQ(words_of_block({"all_reduce", "--paths=tcp", "--reopen", "2"}, "tcp"),
            (Words{"all_reduce", "--paths", "tcp"}));
}

TEST(BlockWords, KeepWordsThatOnlyBeginLikeIt) {
  EXPECT_EQ(words_of_block({"all_reduce", "--paths-file", "own.json"}, "mine"),
            (Words{"all_reduce", "--paths-file", "own.json", "--paths", "mine"}));
}

}  // namespace
}  // namespace viaduct
