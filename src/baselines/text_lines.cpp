#include "baselines/text_lines.hpp"

#include <algorithm>

namespace viaduct {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

bool is_name_character(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' ||
         c == '.';
}

std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_digit(text[end])) {
    ++end;
  }
  return end - at;
}

std::string_view skip_blanks(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && is_blank(text[at])) {
    ++at;
  }
  return text.substr(at);
}

struct Stripped {
  bool found = false;
  std::string_view stream;
  std::string_view rest;
};

/// `[1,0]<stdout>:`, `[0] `, `[pod/name/container] `.
Stripped bracketed(std::string_view line) {
  if (line.empty() || line[0] != '[') {
    return {};
  }
  const std::size_t end = line.find(']');
  if (end == std::string_view::npos) {
    return {};
  }
  const std::string_view inside = line.substr(1, end - 1);
  std::string_view rest = line.substr(end + 1);
  for (const std::string_view channel : {"<stdout>", "<stderr>", "<stddiag>"}) {
    if (rest.starts_with(channel)) {
      rest.remove_prefix(channel.size());
      rest.remove_prefix(rest.starts_with(':') ? 1 : 0);
      return {true, inside, rest};
    }
  }
  const bool is_rank = !inside.empty() && digits_at(inside, 0) == inside.size();
  if ((is_rank || inside.starts_with("pod/")) && rest.starts_with(' ')) {
    return {true, inside, rest.substr(1)};
  }
  return {};
}

/// `0: ` and ` 12: `.
Stripped labelled(std::string_view line) {
  const std::string_view text = skip_blanks(line);
  const std::size_t digits = digits_at(text, 0);
  if (digits == 0 || digits > 7 || digits >= text.size() || text[digits] != ':') {
    return {};
  }
  const std::string_view rest = text.substr(digits + 1);
  if (!rest.empty() && rest[0] != ' ') {
    return {};
  }
  return {true, text.substr(0, digits), rest.empty() ? rest : rest.substr(1)};
}

Stripped of_ray(std::string_view line) {
  if (line.empty() || line[0] != '(') {
    return {};
  }
  const std::size_t end = line.find(") ");
  if (end == std::string_view::npos || line.substr(0, end).find("pid=") == std::string_view::npos) {
    return {};
  }
  return {true, line.substr(1, end - 1), line.substr(end + 2)};
}

/// `2026-11-30T10:48:17.123Z `.
Stripped timed(std::string_view line) {
  const bool is_date = line.size() > 20 && digits_at(line, 0) == 4 && line[4] == '-' &&
                       line[7] == '-' && line[10] == 'T' && line[13] == ':';
  const std::size_t end = is_date ? line.find(' ') : std::string_view::npos;
  if (end == std::string_view::npos) {
    return {};
  }
  return {true, {}, line.substr(end + 1)};
}

/// `host: ` before a comment or a row of numbers; other words before a colon are text.
Stripped of_host(std::string_view line) {
  std::size_t end = 0;
  while (end < line.size() && is_name_character(line[end])) {
    ++end;
  }
  if (end == 0 || end + 1 >= line.size() || line[end] != ':' || line[end + 1] != ' ') {
    return {};
  }
  const std::string_view rest = line.substr(end + 2);
  const std::string_view text = skip_blanks(rest);
  const std::size_t digits = digits_at(text, 0);
  const std::string_view second = skip_blanks(text.substr(digits));
  const bool is_row =
      digits > 0 && digits < text.size() && is_blank(text[digits]) && digits_at(second, 0) > 0;
  if (!text.starts_with('#') && !is_row) {
    return {};
  }
  return {true, line.substr(0, end), rest};
}

}  // namespace

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

TextLine without_prefix(std::string_view line) {
  constexpr int most_prefixes = 4;
  TextLine result;
  result.text = line;
  for (int i = 0; i < most_prefixes; ++i) {
    Stripped stripped;
    for (const auto strip : {&bracketed, &labelled, &of_ray, &timed, &of_host}) {
      stripped = strip(result.text);
      if (stripped.found) {
        break;
      }
    }
    if (!stripped.found) {
      break;
    }
    result.stream = stripped.stream.empty() ? result.stream : stripped.stream;
    result.text = stripped.rest;
  }
  return result;
}

bool TextLines::next(TextLine& line) {
  if (rest_.empty()) {
    return false;
  }
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  std::string_view whole = rest_.substr(0, end);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  if (whole.ends_with('\r')) {
    whole.remove_suffix(1);
  }
  line = without_prefix(whole);
  line.number = ++number_;
  return true;
}

std::vector<std::string_view> words_of(std::string_view line, std::size_t most) {
  std::vector<std::string_view> words;
  std::size_t at = 0;
  while (words.size() < most) {
    while (at < line.size() && is_blank(line[at])) {
      ++at;
    }
    if (at == line.size()) {
      break;
    }
    const std::size_t begin = at;
    while (at < line.size() && !is_blank(line[at])) {
      ++at;
    }
    words.push_back(line.substr(begin, at - begin));
  }
  return words;
}

bool any_line_with(std::string_view text,
                   std::string_view mark,
                   const std::function<bool(std::string_view)>& holds) {
  for (std::size_t at = text.find(mark); at != std::string_view::npos;) {
    const std::size_t begin = text.rfind('\n', at) + 1;
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (holds(trimmed(without_prefix(text.substr(begin, end - begin)).text))) {
      return true;
    }
    at = text.find(mark, end);
  }
  return false;
}

std::string_view trimmed(std::string_view text) {
  text = skip_blanks(text);
  while (!text.empty() && is_blank(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

}  // namespace viaduct
