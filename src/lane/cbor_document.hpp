#pragma once
// A CBOR document as a JSON value, with a bound on nesting. Knows nothing of what the messages
// mean.

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace viaduct {

/// Messages nest three deep. The parser recurses, so deeper garbage could overflow the stack.
constexpr std::size_t max_cbor_depth = 8;

/// Throws Error(lost): not CBOR, bytes after the document, nested deeper than max_cbor_depth.
nlohmann::json parse_cbor(const std::vector<std::uint8_t>& document);

}  // namespace viaduct
