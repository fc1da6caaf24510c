#pragma once
// Where UTF-8 characters begin and end. It knows bytes, not letters.

#include <cstddef>
#include <string_view>

namespace viaduct {

/// Bytes of the character at the beginning of the text, which must not be empty; 0: none begins
/// there (Unicode 15, table 3-7).
std::size_t utf8_length(std::string_view text);

}  // namespace viaduct
