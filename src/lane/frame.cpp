#include "lane/frame.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

namespace viaduct {

namespace {

constexpr std::size_t prefix_bytes = 4;

std::size_t read_prefix(const std::uint8_t* bytes) {
  std::size_t length = 0;
  for (std::size_t i = prefix_bytes; i-- > 0;) {
    length = (length << 8U) | bytes[i];
  }
  return length;
}

}  // namespace

std::vector<std::uint8_t> make_frame(std::span<const std::uint8_t> document) {
  const std::size_t length = document.size();
  if (length == 0 || length > max_frame_bytes) {
    throw Error(ErrorKind::internal,
                fmt::format("a frame of {} bytes: 1 to {} are possible", length, max_frame_bytes));
  }
  std::vector<std::uint8_t> frame;
  frame.reserve(prefix_bytes + length);
  for (std::size_t i = 0; i < prefix_bytes; ++i) {
    frame.push_back(static_cast<std::uint8_t>(length >> (8U * i)));
  }
  frame.insert(frame.end(), document.begin(), document.end());
  return frame;
}

void FrameReader::append(std::span<const std::uint8_t> bytes) {
  // Documents already handed out are dropped only here, so that next() stays cheap.
  bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(at_));
  at_ = 0;
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

std::optional<std::vector<std::uint8_t>> FrameReader::next() {
  if (pending_bytes() < prefix_bytes) {
    return std::nullopt;
  }
  const std::size_t length = read_prefix(bytes_.data() + at_);
  if (length == 0 || length > max_frame_bytes) {
    throw Error(
        ErrorKind::lost,
        fmt::format(
            "a frame says that it has {} bytes: 1 to {} are possible", length, max_frame_bytes));
  }
  if (pending_bytes() < prefix_bytes + length) {
    return std::nullopt;
  }
  const auto begin = bytes_.begin() + static_cast<std::ptrdiff_t>(at_ + prefix_bytes);
  std::vector<std::uint8_t> document(begin, begin + static_cast<std::ptrdiff_t>(length));
  at_ += prefix_bytes + length;
  return document;
}

}  // namespace viaduct
