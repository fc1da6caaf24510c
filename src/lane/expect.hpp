#pragma once
// The body of expect(): a reply as the type that was asked for.

#include "lane/lane.hpp"

namespace viaduct {

/// Throws Error(kind, message) of the failure, or Error(lost) that names the reply that came
/// instead.
[[noreturn]] void throw_unexpected(const Reply& reply);

template <typename T>
const T& expect(const Reply& reply) {
  if (const T* wanted = std::get_if<T>(&reply)) {
    return *wanted;
  }
  throw_unexpected(reply);
}

}  // namespace viaduct
