#pragma once
// The one line with which a call refuses wrong usage; fails the test when it does not, or not in
// one line.

#include "core/error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace viaduct {

template <typename Call>
std::string usage_message(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage) << error.message();
    EXPECT_EQ(error.message().find('\n'), std::string::npos)
        << "more than one line: " << error.message();
    return error.message();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

}  // namespace viaduct
