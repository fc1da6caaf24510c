#pragma once
// Largest numbers that a plan or an option may ask for: beyond them a typing error is likelier than
// a wish.

#include <cstdint>

namespace viaduct::limits {

constexpr std::uint64_t count = 1000000000;
constexpr std::uint64_t ranks = 1000000;
constexpr std::uint64_t reopen = 1000;
constexpr std::uint64_t window = 65536;

}  // namespace viaduct::limits
