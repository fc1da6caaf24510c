#include "launch/hosts_file.hpp"

#include "core/error.hpp"
#include "core/special_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

namespace viaduct {

namespace {

struct Place {
  const std::string* file;
  std::size_t line;
};

[[noreturn]] void refuse(const Place& place, const std::string& what) {
  throw Error(ErrorKind::usage, fmt::format("{}:{}: {}", *place.file, place.line, what));
}

int slots_of(const std::string& word, const Place& place) {
  const std::size_t equals = word.find('=');
  const std::string key = word.substr(0, equals);
  const bool is_limit = key == "max_slots" || key == "max-slots";
  if (equals == std::string::npos || (key != "slots" && !is_limit)) {
    refuse(place, fmt::format("unknown word '{}'; the right form is: HOST slots=N", word));
  }
  int value = 0;
  const char* first = word.data() + equals + 1;
  const char* last = word.data() + word.size();
  const auto [end, error] = std::from_chars(first, last, value);
  if (error != std::errc() || end != last || value < 1) {
    refuse(place, fmt::format("'{}' must be {}=N with N from 1", word, key));
  }
  return is_limit ? 0 : value;
}

HostSlots host_of(const std::string& line, const Place& place) {
  std::istringstream words(line);
  HostSlots host;
  words >> host.host;
  // Names, addresses (also of IPv6) and user@host; what mpirun would stumble over is refused here.
  const auto is_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr(".-_:@%", c) != nullptr;
  };
  if (!std::all_of(host.host.begin(), host.host.end(), is_of_name)) {
    refuse(place, fmt::format("'{}' is not a host; the right form is: HOST slots=N", host.host));
  }
  for (std::string word; words >> word;) {
    host.slots = std::max(host.slots, slots_of(word, place));
  }
  return host;
}

}  // namespace

std::vector<HostSlots> parse_hosts(std::string_view text, const std::string& origin) {
  std::vector<HostSlots> hosts;
  std::istringstream lines{std::string(text)};
  Place place{&origin, 0};
  for (std::string line; std::getline(lines, line);) {
    ++place.line;
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == std::string::npos) {
      continue;
    }
    HostSlots host = host_of(line, place);
    const auto is_same = [&host](const HostSlots& other) { return other.host == host.host; };
    if (std::any_of(hosts.begin(), hosts.end(), is_same)) {
      refuse(place, fmt::format("host '{}' is given twice; add up its slots", host.host));
    }
    hosts.push_back(std::move(host));
  }
  if (hosts.empty()) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: no host; the right form is one line for each: HOST slots=N", origin));
  }
  return hosts;
}

std::vector<HostSlots> read_hosts_file(const std::string& file) {
  if (is_special_file(file)) {
    // mpirun reads it once more; a pipe would be empty by then.
    throw Error(ErrorKind::usage,
                fmt::format("cannot read the hosts file '{}': it is not a regular file", file));
  }
  std::ifstream stream(file);
  std::error_code ignored;
  if (!stream || std::filesystem::is_directory(file, ignored)) {
    const int reason = stream ? EISDIR : errno;
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "cannot read the hosts file '{}': {}", file, std::generic_category().message(reason)));
  }
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  return parse_hosts(text, file);
}

int total_slots(const std::vector<HostSlots>& hosts) {
  int sum = 0;
  for (const HostSlots& host : hosts) {
    if (host.slots == 0) {
      return 0;
    }
    sum += host.slots;
  }
  return sum;
}

}  // namespace viaduct
