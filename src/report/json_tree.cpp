#include "report/json_tree.hpp"

#include "report/utf8.hpp"

#include <charconv>
#include <limits>
#include <system_error>

namespace viaduct {

namespace {

constexpr int deepest = 100;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// One pass over a text; `parse` builds the nodes.
class Parser {
 public:
  Parser(std::string_view text, std::vector<JsonNode>& nodes)
      : at_(text.data()),
        end_(text.data() + text.size()),
        nodes_(nodes) {}

  bool parse() {
    skip_blanks();
    if (!value({}, 0)) {
      return false;
    }
    skip_blanks();
    return at_ == end_;
  }

 private:
  using Kind = JsonNode::Kind;

  void skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) {
      ++at_;
    }
  }

  bool take(char c) {
    const bool found = at_ != end_ && *at_ == c;
    at_ += found ? 1 : 0;
    return found;
  }

  bool word(std::string_view text) {
    const bool found =
        std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(text);
    at_ += found ? text.size() : 0;
    return found;
  }

  bool digits() {
    const char* first = at_;
    while (at_ != end_ && is_digit(*at_)) {
      ++at_;
    }
    return at_ != first;
  }

  bool number() {
    take('-');
    if (!take('0') && !digits()) {
      return false;
    }
    if (take('.') && !digits()) {
      return false;
    }
    if (take('e') || take('E')) {
      if (!take('+')) {
        take('-');
      }
      return digits();
    }
    return true;
  }

  bool escape() {
    if (at_ == end_) {
      return false;
    }
    const char c = *at_++;
    if (c != 'u') {
      return std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos;
    }
    for (int i = 0; i < 4; ++i) {
      if (at_ == end_ || !is_hex(*at_++)) {
        return false;
      }
    }
    return true;
  }

  /// Behind the opening quote; leaves the cursor behind the closing one.
  bool text() {
    while (at_ != end_) {
      const auto c = static_cast<unsigned char>(*at_);
      if (c == '"') {
        ++at_;
        return true;
      }
      if (c == '\\') {
        ++at_;
        if (!escape()) {
          return false;
        }
      } else if (c < 0x20) {
        return false;
      } else if (c < 0x80) {
        ++at_;
      } else {
        const std::size_t length = utf8_length({at_, static_cast<std::size_t>(end_ - at_)});
        if (length == 0) {
          return false;
        }
        at_ += length;
      }
    }
    return false;
  }

  /// Keys and values between the brackets of an object, or the values of a list.
  bool members(std::size_t holder, bool is_object, int depth) {
    const char close = is_object ? '}' : ']';
    skip_blanks();
    if (take(close)) {
      return true;
    }
    for (;;) {
      skip_blanks();
      std::string_view key;
      if (is_object && !read_key(key)) {
        return false;
      }
      if (!value(key, depth + 1)) {
        return false;
      }
      ++nodes_[holder].count;
      skip_blanks();
      if (take(close)) {
        return true;
      }
      if (!take(',')) {
        return false;
      }
    }
  }

  bool read_key(std::string_view& key) {
    if (!take('"')) {
      return false;
    }
    const char* first = at_;
    if (!text()) {
      return false;
    }
    key = std::string_view(first, static_cast<std::size_t>(at_ - first) - 1);
    is_escaped_ = key.find('\\') != std::string_view::npos;
    skip_blanks();
    const bool has_colon = take(':');
    skip_blanks();
    return has_colon;
  }

  /// What a value is, by its first character; consumes it.
  bool content(std::size_t index, int depth) {
    switch (*at_) {
      case '"':
        ++at_;
        nodes_[index].kind = Kind::text;
        return text();
      case '{':
      case '[': {
        const bool is_object = *at_ == '{';
        ++at_;
        nodes_[index].kind = is_object ? Kind::object : Kind::list;
        return depth < deepest && members(index, is_object, depth);
      }
      case 'n':
        return word("null");
      case 't':
        nodes_[index].kind = Kind::truth;
        return word("true");
      case 'f':
        nodes_[index].kind = Kind::truth;
        return word("false");
      default:
        nodes_[index].kind = Kind::number;
        return number();
    }
  }

  bool value(std::string_view key, int depth) {
    if (at_ == end_) {
      return false;
    }
    const char* first = at_;
    const std::size_t index = nodes_.size();
    nodes_.emplace_back();
    nodes_[index].key = key;
    nodes_[index].has_escaped_key = is_escaped_;
    is_escaped_ = false;
    if (!content(index, depth)) {
      return false;
    }
    nodes_[index].raw = std::string_view(first, static_cast<std::size_t>(at_ - first));
    nodes_[index].after = static_cast<std::uint32_t>(nodes_.size());
    return true;
  }

  const char* at_;
  const char* end_;
  std::vector<JsonNode>& nodes_;
  bool is_escaped_ = false;  ///< the key just read
};

void append_utf8(std::string& text, std::uint32_t code) {
  const auto add = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xc0U | (code >> 6U));
    add(0x80U | (code & 0x3fU));
  } else if (code < 0x10000) {
    add(0xe0U | (code >> 12U));
    add(0x80U | ((code >> 6U) & 0x3fU));
    add(0x80U | (code & 0x3fU));
  } else {
    add(0xf0U | (code >> 18U));
    add(0x80U | ((code >> 12U) & 0x3fU));
    add(0x80U | ((code >> 6U) & 0x3fU));
    add(0x80U | (code & 0x3fU));
  }
}

std::uint32_t hex_code(std::string_view four) {
  std::uint32_t code = 0;
  std::from_chars(four.data(), four.data() + four.size(), code, 16);
  return code;
}

/// The character of "\uXXXX" at `at`, which is moved behind it, and behind the second half of a
/// pair.
std::uint32_t unicode_escape(std::string_view inside, std::size_t& at) {
  constexpr std::uint32_t replacement = 0xfffd;
  const std::uint32_t first = hex_code(inside.substr(at + 2, 4));
  at += 6;
  const bool is_high = first >= 0xd800 && first <= 0xdbff;
  const bool is_low = first >= 0xdc00 && first <= 0xdfff;
  if (is_high && inside.substr(at, 2) == "\\u") {
    const std::uint32_t second = hex_code(inside.substr(at + 2, 4));
    if (second >= 0xdc00 && second <= 0xdfff) {
      at += 6;
      return 0x10000 + ((first - 0xd800) << 10U) + (second - 0xdc00);
    }
  }
  return is_high || is_low ? replacement : first;
}

char simple_escape(char letter) {
  switch (letter) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return letter;
  }
}

template <typename Whole>
std::optional<Whole> whole_number(std::string_view raw) {
  Whole value = 0;
  const char* end = raw.data() + raw.size();
  const auto result = std::from_chars(raw.data(), end, value);
  return result.ec == std::errc() && result.ptr == end ? std::optional<Whole>(value) : std::nullopt;
}

}  // namespace

bool JsonTree::parse(std::string_view text) {
  nodes_.clear();
  if (Parser(text, nodes_).parse()) {
    return true;
  }
  nodes_.clear();
  return false;
}

std::optional<std::uint32_t> JsonTree::find(std::uint32_t object, std::string_view key) const {
  const std::uint32_t end = nodes_[object].after;
  for (std::uint32_t at = object + 1; at < end; at = nodes_[at].after) {
    const JsonNode& node = nodes_[at];
    if (node.key == key || (node.has_escaped_key && json_unescaped(node.key) == key)) {
      return at;
    }
  }
  return std::nullopt;
}

std::string json_unescaped(std::string_view inside) {
  std::string text;
  text.reserve(inside.size());
  for (std::size_t at = 0; at < inside.size();) {
    if (inside[at] != '\\') {
      text += inside[at++];
    } else if (inside[at + 1] == 'u') {
      append_utf8(text, unicode_escape(inside, at));
    } else {
      text += simple_escape(inside[at + 1]);
      at += 2;
    }
  }
  return text;
}

std::optional<std::uint64_t> json_unsigned(std::string_view raw) {
  return whole_number<std::uint64_t>(raw);
}

std::optional<std::int64_t> json_signed(std::string_view raw) {
  return whole_number<std::int64_t>(raw);
}

double json_double(std::string_view raw) {
  double value = 0;
  const auto result = std::from_chars(raw.data(), raw.data() + raw.size(), value);
  const bool is_tiny =
      raw.find("e-") != std::string_view::npos || raw.find("E-") != std::string_view::npos;
  if (result.ec == std::errc::result_out_of_range && !is_tiny) {
    return raw.front() == '-' ? -std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::infinity();
  }
  return value;
}

}  // namespace viaduct
