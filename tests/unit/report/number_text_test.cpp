#include "report/number_text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace viaduct {

TEST(FourDigits, KeepsFourSignificantDigits) {
  EXPECT_EQ(four_digits(0), "0");
  EXPECT_EQ(four_digits(0.012345), "0.0123");
  EXPECT_EQ(four_digits(0.0000123), "1.2e-05");
  EXPECT_EQ(four_digits(0.5), "0.5000");
  EXPECT_EQ(four_digits(5.4), "5.400");
  EXPECT_EQ(four_digits(10.8), "10.80");
  EXPECT_EQ(four_digits(251.93), "251.9");
  EXPECT_EQ(four_digits(2477.3), "2477");
  EXPECT_EQ(four_digits(123456.7), "123457");
}

TEST(FourDigits, CarriesIntoANewDigit) {
  EXPECT_EQ(four_digits(9.99996), "10.00");
  EXPECT_EQ(four_digits(99.9996), "100.0");
  EXPECT_EQ(four_digits(999.96), "1000");
}

TEST(FourDigits, ShowsNoNumberAsDash) {
  EXPECT_EQ(four_digits(std::numeric_limits<double>::quiet_NaN()), "-");
  EXPECT_EQ(four_digits(std::numeric_limits<double>::infinity()), "-");
}

TEST(PercentNumber, ChoosesDecimalsBySize) {
  EXPECT_EQ(percent_number(0), "0.00");
  EXPECT_EQ(percent_number(0.0042), "0.42");
  EXPECT_EQ(percent_number(0.123), "12.3");
  EXPECT_EQ(percent_number(0.09999), "10.0");
  EXPECT_EQ(percent_number(1.5), "150");
}

}  // namespace viaduct
