#include "worker/network_watch.hpp"

#include <array>
#include <fstream>
#include <string_view>

namespace viaduct {

namespace {

constexpr std::string_view marker = " via NET/";
constexpr std::size_t piece_bytes = std::size_t{64} * 1024;

}  // namespace

bool NetworkWatch::contains_marker(const char* bytes, std::size_t count) {
  carry_.append(bytes, count);
  if (carry_.find(marker) != std::string::npos) {
    return true;
  }
  if (carry_.size() >= marker.size()) {
    carry_.erase(0, carry_.size() - (marker.size() - 1));
  }
  return false;
}

bool NetworkWatch::has_seen_network() {
  if (has_seen_ || file_.empty()) {
    return has_seen_;
  }
  std::ifstream in(file_, std::ios::binary);
  in.seekg(offset_);
  std::array<char, piece_bytes> piece{};
  while (in && !has_seen_) {
    in.read(piece.data(), piece.size());
    offset_ += in.gcount();
    has_seen_ = contains_marker(piece.data(), static_cast<std::size_t>(in.gcount()));
  }
  return has_seen_;
}

}  // namespace viaduct
