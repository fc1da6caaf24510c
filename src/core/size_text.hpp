#pragma once
// Sizes as people write them: "8", "4K", "1M", "2.5G" (binary: K = 1024), and back.

#include <cstdint>
#include <string>
#include <string_view>

namespace viaduct {

/// Bytes of a size text: a decimal number with an optional K, M, G or T (either case; an optional
/// "B" or "iB" after it). Throws Error(usage) that names the text and the right form; negative,
/// empty, fractional bytes and more than 2^63-1 are refused. `what` names the option or key in the
/// message.
std::uint64_t parse_size(std::string_view text, std::string_view what);

/// Shortest exact text: 4096 -> "4K", 1536 -> "1536", 1 GiB -> "1G".
std::string format_size(std::uint64_t bytes);

}  // namespace viaduct
