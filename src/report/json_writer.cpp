#include "report/json_writer.hpp"

#include "core/error.hpp"
#include "report/utf8.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace viaduct {

namespace {

constexpr std::string_view replacement = "\\ufffd";

bool is_plain(char c) {
  const auto code = static_cast<unsigned char>(c);
  return code >= 0x20 && code < 0x80 &&
         std::string_view("\"\\<>&").find(c) == std::string_view::npos;
}

/// Of an ASCII character that does not stand for itself.
std::string escape_of(char c) {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    default:
      return fmt::format("\\u{:04x}", static_cast<unsigned>(c));
  }
}

bool is_line_separator(std::string_view character) {
  return character == "\xE2\x80\xA8" || character == "\xE2\x80\xA9";
}

}  // namespace

void JsonWriter::before_value() {
  if (needs_comma_) {
    text_ += ',';
  }
  needs_comma_ = true;
}

void JsonWriter::open(char bracket) {
  before_value();
  text_ += bracket;
  closers_ += bracket == '{' ? '}' : ']';
  needs_comma_ = false;
}

void JsonWriter::end() {
  text_ += closers_.back();
  closers_.pop_back();
  needs_comma_ = true;
}

void JsonWriter::key(std::string_view name) {
  text(name);
  text_ += ':';
  needs_comma_ = false;
}

void JsonWriter::text(std::string_view value) {
  before_value();
  text_ += '"';
  for (std::size_t at = 0; at < value.size();) {
    if (is_plain(value[at])) {
      text_ += value[at++];
      continue;
    }
    if (static_cast<unsigned char>(value[at]) < 0x80) {
      text_ += escape_of(value[at++]);
      continue;
    }
    const std::size_t length = utf8_length(value.substr(at));
    const std::string_view character = value.substr(at, length);
    if (length == 0) {
      text_ += replacement;
    } else if (is_line_separator(character)) {
      text_ += character.back() == '\xA8' ? "\\u2028" : "\\u2029";
    } else {
      text_ += character;
    }
    at += length == 0 ? 1 : length;
  }
  text_ += '"';
}

void JsonWriter::number(double value) {
  before_value();
  text_ += std::isfinite(value) ? fmt::format("{}", value) : "null";
}

void JsonWriter::short_number(double value) {
  before_value();
  text_ += std::isfinite(value) ? fmt::format("{:.6g}", value) : "null";
}

void JsonWriter::number_text(std::string_view digits) {
  before_value();
  const bool is_number = digits.find_first_of("0123456789") != std::string_view::npos;
  text_ += is_number ? digits : "null";
}

void JsonWriter::flag(bool value) {
  before_value();
  text_ += value ? "true" : "false";
}

void JsonWriter::null() {
  before_value();
  text_ += "null";
}

void JsonWriter::text_at(std::string_view name, std::string_view value) {
  key(name);
  text(value);
}

void JsonWriter::number_at(std::string_view name, const std::optional<double>& value) {
  key(name);
  if (value) {
    number(*value);
  } else {
    null();
  }
}

void JsonWriter::texts_at(std::string_view name, const std::vector<std::string>& values) {
  key(name);
  begin_list();
  for (const std::string& value : values) {
    text(value);
  }
  end();
}

std::string JsonWriter::take() {
  if (!closers_.empty()) {
    throw Error(ErrorKind::internal, "a JSON text was taken before its end");
  }
  needs_comma_ = false;
  return std::exchange(text_, {});
}

}  // namespace viaduct
