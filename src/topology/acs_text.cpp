#include "topology/acs_text.hpp"

#include "topology/plain_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace viaduct {
namespace {

bool is_hex(char c) {
  return std::isxdigit(static_cast<unsigned char>(c)) != 0;
}

/// "17:00.0" or "0000:17:00.0", as lspci begins the block of a device.
bool is_bus_id(std::string_view word) {
  constexpr std::size_t tail = 7;  // "17:00.0"
  if (word.size() < tail || word[word.size() - 2] != '.') {
    return false;
  }
  return std::all_of(
      word.begin(), word.end(), [](char c) { return is_hex(c) || c == ':' || c == '.'; });
}

bool redirects(std::string_view flag) {
  return flag == "ReqRedir" || flag == "CmpltRedir" || flag == "UpstreamFwd";
}

AcsControl control_of(const std::vector<std::string_view>& words) {
  AcsControl control;
  bool has_flags = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view flag = words[i].substr(0, words[i].size() - 1);
    has_flags = has_flags || words[i].back() == '+' || words[i].back() == '-';
    if (words[i].back() == '+') {
      control.on.emplace_back(flag);
      control.redirects_p2p = control.redirects_p2p || redirects(flag);
    }
  }
  control.is_off = has_flags && control.on.empty();
  return control;
}

}  // namespace

std::vector<AcsControl> read_acs_controls(std::string_view text) {
  std::vector<AcsControl> controls;
  std::string device;
  for (const std::string& line : plain_lines(text)) {
    const auto words = words_of(line);
    if (words.empty()) {
      continue;
    }
    if (line[0] != ' ' && line[0] != '\t' && is_bus_id(words[0])) {
      device = words[0];
    }
    if (words[0] == "ACSCtl:" && words.size() > 1) {
      controls.push_back(control_of(words));
      controls.back().device = device;
    }
  }
  return controls;
}

bool add_acs(std::string_view text, HostTopology& topology) {
  constexpr std::size_t most_named = 4;
  const auto controls = read_acs_controls(text);
  std::vector<std::string> redirecting;
  for (const AcsControl& control : controls) {
    if (control.redirects_p2p) {
      redirecting.push_back(fmt::format("{}: {}",
                                        control.device.empty() ? "a bridge" : control.device,
                                        fmt::join(control.on, ", ")));
    }
  }
  if (!controls.empty()) {
    topology.acs = topology.acs.value_or(false) || !redirecting.empty();
  }
  if (!redirecting.empty()) {
    const std::size_t more = redirecting.size() - std::min(redirecting.size(), most_named);
    redirecting.resize(redirecting.size() - more);
    topology.notes.push_back(fmt::format("{} ({}{})",
                                         acs_redirects,
                                         fmt::join(redirecting, "; "),
                                         more > 0 ? fmt::format("; and {} more", more) : ""));
  }
  return !controls.empty();
}

bool names_acs(const HostTopology& topology) {
  return std::any_of(topology.notes.begin(), topology.notes.end(), [](const std::string& note) {
    return note.find(acs_redirects) != std::string::npos;  // the name of a file may stand before
  });
}

}  // namespace viaduct
