#pragma once
// Reads one JSON text into one array of nodes, whose memory serves for the next text as well:
// result files of many megabytes are read line by line. It knows JSON, not what the text says.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

/// A value as it stands in the text. Views point into the text that was parsed.
struct JsonNode {
  enum class Kind : std::uint8_t { null, truth, number, text, list, object };

  std::string_view key;     ///< in an object: without quotes, escapes as they stand
  std::string_view raw;     ///< the whole value, a text with its quotes
  std::uint32_t after = 0;  ///< index of the first node behind this one and all that it holds
  std::uint32_t count = 0;  ///< values in a list or object
  Kind kind = Kind::null;
  bool has_escaped_key = false;
};

class JsonTree {
 public:
  /// False when the text is not JSON (RFC 8259, UTF-8), or nests more than 100 deep; then there are
  /// no nodes. The text must outlive them.
  bool parse(std::string_view text);

  /// The root is node 0; the values of a list or object follow it, each `after` the one before.
  [[nodiscard]] const std::vector<JsonNode>& nodes() const { return nodes_; }

  /// The value of a key of the object at that index; empty: none. The first of equal keys counts.
  [[nodiscard]] std::optional<std::uint32_t> find(std::uint32_t object, std::string_view key) const;

 private:
  std::vector<JsonNode> nodes_;
};

/// The text behind a raw text or key without its quotes, escapes replaced. A lone surrogate becomes
/// the replacement character.
std::string json_unescaped(std::string_view inside);

/// Of a number: whole ones only where the text has neither fraction nor exponent and it fits.
std::optional<std::uint64_t> json_unsigned(std::string_view raw);
std::optional<std::int64_t> json_signed(std::string_view raw);

/// Infinity where it is too large for a double.
double json_double(std::string_view raw);

}  // namespace viaduct
