#include "core/size_text.hpp"

#include "unit/core/thrown_error.hpp"

#include <gtest/gtest.h>

namespace viaduct {
namespace {

struct Row {
  const char* text;
  std::uint64_t bytes;
};

TEST(SizeText, ReadsSizes) {
  constexpr Row rows[] = {
      {"0", 0},
      {"8", 8},
      {"8B", 8},
      {"007", 7},
      {"4K", 4096},
      {"4k", 4096},
      {"4KB", 4096},
      {"4KiB", 4096},
      {"4kib", 4096},
      {"1M", 1048576},
      {"1g", 1073741824},
      {"8G", 8589934592},
      {"2T", 2199023255552},
      {"1.5K", 1536},
      {"2.5G", 2684354560},
      {"0.5K", 512},
      {"2.0", 2},
      {"0.125K", 128},
      {"1.0009765625K", 1025},
      {"9223372036854775807", 9223372036854775807ULL},
      {"8388607T", 9223370937343148032ULL},
      {"8388607.99999999999909050529822707176208496093750T", 9223372036854775807ULL},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(parse_size(row.text, "-b"), row.bytes) << row.text;
  }
}

TEST(SizeText, RefusesWhatIsNotASize) {
  for (const char* text : {"",      " ",    "8 ",  " 8",  "-8",  "+8",   "K",    ".5K",  "1.K",
                           "1.",    "0x10", "1e3", "4Q",  "4KK", "4Ki",  "8iB",  "4KBB", "1,5K",
                           "1.2.3", "abc",  "4K-", "nan", "inf", "1..5", "4MiBs"}) {
    SCOPED_TRACE(text);
    test::expect_error(ErrorKind::usage,
                       [&] { parse_size(text, "-b"); },
                       {"-b: '" + std::string(text) + "' is not a size", "4K"});
  }
}

TEST(SizeText, RefusesFractionsOfBytes) {
  for (const char* text : {"1.5", "0.1K", "1.0001K", "0.3M", "0.00000000000000000001T"}) {
    SCOPED_TRACE(text);
    test::expect_error(ErrorKind::usage,
                       [&] { parse_size(text, "sizes"); },
                       {"sizes: '" + std::string(text) + "'", "whole number of bytes"});
  }
}

TEST(SizeText, RefusesMoreThanFits) {
  for (const char* text : {"9223372036854775808",
                           "18446744073709551615",
                           "18446744073709551616",
                           "99999999999999999999999999",
                           "8388608T",
                           "99999999999999999T"}) {
    SCOPED_TRACE(text);
    test::expect_error(
        ErrorKind::usage, [&] { parse_size(text, "-e"); }, {"-e", text, "too large"});
  }
}

TEST(SizeText, WritesTheShortestExactText) {
  constexpr Row rows[] = {
      {"0", 0},
      {"8", 8},
      {"1023", 1023},
      {"1K", 1024},
      {"1025", 1025},
      {"1536", 1536},
      {"4K", 4096},
      {"1536K", 1536 * 1024},
      {"64M", 64ULL << 20U},
      {"1G", 1ULL << 30U},
      {"2T", 2ULL << 40U},
      {"1024T", 1ULL << 50U},
      {"18446744073709551615", ~0ULL},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(format_size(row.bytes), row.text);
  }
}

TEST(SizeText, ReadsWhatItWrites) {
  for (unsigned shift = 0; shift < 63; ++shift) {
    for (const std::uint64_t bytes : {1ULL << shift, (1ULL << shift) - 1, 3ULL << (shift / 2)}) {
      EXPECT_EQ(parse_size(format_size(bytes), "-b"), bytes);
    }
  }
}

}  // namespace
}  // namespace viaduct
