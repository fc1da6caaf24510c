#include "paths/nccl_log_header.hpp"

#include "paths/text_cursor.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>
#include <vector>

namespace viaduct {

namespace {

constexpr std::string_view product_word = "NCCL ";
constexpr char escape = '\x1b';

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

/// Host names as systems allow them: a slash or a bracket shows that two lines ran into each other.
bool is_host(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '_';
  });
}

/// Length of the escape sequence "ESC [ ... letter" at the begin of the text; 1 for a bare ESC.
std::size_t escape_length(std::string_view text) {
  if (text.size() < 2 || text[1] != '[') {
    return 1;
  }
  std::size_t at = 2;
  while (at < text.size() && (is_digit(text[at]) || text[at] == ';' || text[at] == '?')) {
    ++at;
  }
  return std::min(at + 1, text.size());
}

/// Ray prints a line once for many and says so behind it, the first time with advice.
void drop_repeated_suffix(std::string& line) {
  const std::string_view mark = " [repeated ";
  const std::size_t at = line.rfind(mark);
  if (at == std::string::npos) {
    return;
  }
  TextCursor cursor(std::string_view(line).substr(at + mark.size()));
  if (cursor.take_count() && cursor.take("x across cluster]")) {
    line.resize(at);
  }
}

struct LevelMark {
  std::size_t begin = std::string_view::npos;  ///< of "NCCL"
  std::size_t end = 0;                         ///< of the message
  LogLevel level = LogLevel::other;
  bool has_device = true;  ///< CALL lines have none
};

/// The next "NCCL INFO " and the like.
LevelMark find_level(std::string_view line, std::size_t from) {
  struct Word {
    std::string_view text;
    LogLevel level;
    bool has_device;
  };

  static constexpr std::array words{Word{"INFO ", LogLevel::info, true},
                                    Word{"WARN ", LogLevel::warn, true},
                                    Word{"CALL ", LogLevel::other, false},
                                    Word{"TRACE ", LogLevel::other, true}};
  for (std::size_t at = line.find(product_word, from); at != std::string_view::npos;
       at = line.find(product_word, at + 1)) {
    const std::string_view rest = line.substr(at + product_word.size());
    for (const Word& word : words) {
      if (rest.starts_with(word.text)) {
        return {at, at + product_word.size() + word.text.size(), word.level, word.has_device};
      }
    }
  }
  return {};
}

/// "host:pid:thread" or "host:pid", perhaps behind a launcher's "[1,0]<stdout>:".
bool read_writer(std::string_view token, LogWriter& writer) {
  std::vector<std::string_view> parts;
  TextCursor cursor(token);
  while (const auto part = cursor.take_until(":")) {
    parts.push_back(*part);
  }
  parts.push_back(cursor.rest());
  const std::size_t count = parts.size();
  if (count < 2 || !is_number(parts[count - 1])) {
    return false;
  }
  const bool has_thread = count > 2 && is_number(parts[count - 2]);
  const std::size_t host = has_thread ? count - 3 : count - 2;
  const auto pid = TextCursor(parts[host + 1]).take_number<std::int64_t>();
  const auto thread = TextCursor(parts[count - 1]).take_number<std::int64_t>();
  if (!is_host(parts[host]) || !pid || !thread) {
    return false;
  }
  writer.host = parts[host];
  writer.pid = *pid;
  writer.thread = has_thread ? *thread : 0;
  return true;
}

/// Takes "[2]" and what follows it (source of a WARN) off the end of the header.
bool take_device(std::string_view& header, LogLine& line) {
  const std::size_t open = header.rfind(" [");
  if (open == std::string_view::npos) {
    return false;
  }
  TextCursor cursor(header.substr(open + 2));
  const auto device = cursor.take_number<int>();
  if (!device || !cursor.take("]") || !(cursor.at_end() || cursor.take(" "))) {
    return false;
  }
  line.writer.device = *device;
  line.source = cursor.rest();
  header = header.substr(0, open);
  return true;
}

bool read_header(std::string_view header, const LevelMark& mark, LogLine& line) {
  if (!header.ends_with(' ')) {
    return false;
  }
  header.remove_suffix(1);
  if (mark.has_device && !take_device(header, line)) {
    return false;
  }
  if (mark.level == LogLevel::info && !line.source.empty()) {
    return false;
  }
  const std::size_t space = header.rfind(' ');
  const std::size_t begin = space == std::string_view::npos ? 0 : space + 1;
  line.prefix = header.substr(0, begin);
  return read_writer(header.substr(begin), line.writer);
}

}  // namespace

std::string clean_line(std::string_view raw) {
  std::string line;
  line.reserve(raw.size());
  for (std::size_t at = 0; at < raw.size();) {
    if (raw[at] == escape) {
      at += escape_length(raw.substr(at));
      continue;
    }
    // A progress bar rewinds with it; what follows is a text of its own.
    line += raw[at] == '\r' ? ' ' : raw[at];
    ++at;
  }
  drop_repeated_suffix(line);
  line.resize(line.find_last_not_of(' ') + 1);
  return line;
}

LogLine split_line(std::string_view text) {
  const LevelMark mark = find_level(text, 0);
  LogLine line;
  if (mark.begin == std::string_view::npos ||
      !read_header(text.substr(0, mark.begin), mark, line)) {
    LogLine headless;
    headless.message = text;
    return headless;
  }
  line.has_header = true;
  line.level = mark.level;
  line.has_two_headers = find_level(text, mark.end).begin != std::string_view::npos;
  line.message = text.substr(mark.end);
  return line;
}

}  // namespace viaduct
