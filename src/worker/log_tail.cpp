#include "worker/log_tail.hpp"

#include <algorithm>
#include <deque>
#include <fstream>
#include <functional>
#include <sstream>

namespace viaduct {

namespace {

constexpr std::streamoff output_bytes = std::streamoff{16} * 1024;
constexpr std::streamoff nccl_bytes = std::streamoff{256} * 1024;
constexpr std::size_t line_bytes = 240;

std::string read_end(const std::string& file, std::streamoff most_bytes) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  const std::streamoff size = in ? std::streamoff(in.tellg()) : 0;
  if (size <= 0) {
    return "";
  }
  const std::streamoff wanted = std::min(size, most_bytes);
  in.seekg(size - wanted);
  std::string text(static_cast<std::size_t>(wanted), '\0');
  in.read(text.data(), wanted);
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

/// The text goes into a record, which is UTF-8: a torn or foreign byte must not spoil it.
std::string printable(const std::string& line) {
  std::string clean;
  for (const char c : line.substr(0, line_bytes)) {
    const bool is_ascii = c >= ' ' && c <= '~';
    clean += is_ascii ? c : (c == '\t' ? ' ' : '?');
  }
  return line.size() > line_bytes ? clean + "..." : clean;
}

std::string join_last(const std::string& text,
                      std::size_t lines,
                      const std::function<bool(const std::string&)>& is_wanted) {
  std::deque<std::string> kept;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.find_first_not_of(" \t\r") != std::string::npos && is_wanted(line)) {
      line.erase(line.find_last_not_of(" \t\r") + 1);
      kept.push_back(printable(line));
    }
    if (kept.size() > lines) {
      kept.pop_front();
    }
  }
  std::string joined;
  for (const std::string& line : kept) {
    joined += (joined.empty() ? "" : " | ") + line;
  }
  return joined;
}

}  // namespace

std::string joined_lines(const std::string& text, std::size_t lines) {
  return join_last(text, lines, [](const std::string&) { return true; });
}

std::string last_lines(const std::string& file, std::size_t lines) {
  return joined_lines(read_end(file, output_bytes), lines);
}

std::string last_nccl_warnings(const std::string& file, std::size_t lines) {
  return join_last(read_end(file, nccl_bytes), lines, [](const std::string& line) {
    return line.find(" NCCL WARN ") != std::string::npos;
  });
}

}  // namespace viaduct
