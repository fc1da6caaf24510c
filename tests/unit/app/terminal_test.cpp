
#include "app/terminal.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

TEST(ErrorLine, IsOneLineWithoutControlCharacters) {
  EXPECT_EQ(error_line("-b 'a\nb\tc\x1b[31m'"), "-b 'a\\nb\\tc\\x1b[31m'");
  EXPECT_EQ(error_line("größe 8K"), "größe 8K");
}

}  // namespace
}  // namespace viaduct
