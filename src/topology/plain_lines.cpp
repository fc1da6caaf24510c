#include "topology/plain_lines.hpp"

namespace viaduct {
namespace {

constexpr std::string_view blanks = " \t";
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // of UTF-8

/// Place behind the escape sequence that begins at `at`: ESC [ parameters letter.
std::size_t behind_escape(std::string_view text, std::size_t at) {
  ++at;
  if (at < text.size() && text[at] == '[') {
    ++at;
    while (at < text.size() && (text[at] < '@' || text[at] > '~')) {
      ++at;
    }
  }
  return at < text.size() ? at + 1 : at;
}

}  // namespace

std::vector<std::string> plain_lines(std::string_view text) {
  constexpr char escape = '\x1b';
  std::vector<std::string> lines(1);
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == escape) {
      at = behind_escape(text, at);
      continue;
    }
    // At the start of a line: files with a mark may have been joined to one.
    if (lines.back().empty() && text.substr(at, byte_order_mark.size()) == byte_order_mark) {
      at += byte_order_mark.size();
      continue;
    }
    if (text[at] == '\n') {
      lines.emplace_back();
    } else if (text[at] != '\r') {
      lines.back() += text[at];
    }
    ++at;
  }
  return lines;
}

std::string_view without_outer_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  std::size_t begin = line.find_first_not_of(blanks);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(blanks, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(blanks, end);
  }
  return words;
}

}  // namespace viaduct
