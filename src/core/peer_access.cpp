#include "core/peer_access.hpp"

#include "core/error.hpp"

namespace viaduct {

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : ",") + word;
  }
  return text;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    words.emplace_back(text.substr(0, comma));
    text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
  }
  return words;
}

bool is_square(const PeerAccess& access) {
  for (const std::string& row : access.rows) {
    const bool has_other_letters = row.find_first_not_of("yn-") != std::string::npos;
    if (row.size() != access.bus_ids.size() || has_other_letters) {
      return false;
    }
  }
  return access.rows.size() == access.bus_ids.size();
}

}  // namespace

std::string to_text(const PeerAccess& access) {
  return joined(access.bus_ids) + ";" + joined(access.rows);
}

PeerAccess peer_access_from_text(std::string_view text) {
  const std::size_t middle = text.find(';');
  PeerAccess access;
  if (middle != std::string_view::npos) {
    access.bus_ids = words_of(text.substr(0, middle));
    access.rows = words_of(text.substr(middle + 1));
  }
  if (middle == std::string_view::npos || !is_square(access)) {
    throw Error(ErrorKind::lost, "'" + std::string(text) + "' says nothing of peer access");
  }
  return access;
}

}  // namespace viaduct
