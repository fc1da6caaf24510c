#pragma once
// The Error that a call throws, for tests that look at its kind and words. A call that throws
// nothing is a failure.

#include "core/error.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace viaduct::test {

template <typename Call>
Error thrown_error(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no viaduct::Error was thrown";
  return Error(ErrorKind::internal, "nothing was thrown");
}

/// Fails unless the call throws Error(kind) with every one of the words in its message, in one
/// line.
template <typename Call>
void expect_error(ErrorKind kind, const Call& call, const std::vector<std::string>& words) {
  const Error error = thrown_error(call);
  EXPECT_EQ(name(error.kind()), std::string(name(kind))) << error.message();
  EXPECT_EQ(error.message().find('\n'), std::string::npos) << error.message();
  for (const std::string& word : words) {
    EXPECT_NE(error.message().find(word), std::string::npos)
        << "no '" << word << "' in: " << error.message();
  }
}

}  // namespace viaduct::test
