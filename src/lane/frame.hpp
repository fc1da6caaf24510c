#pragma once
// Frames on a stream socket: four bytes of length, little endian, then that many bytes. Nothing of
// their content.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace viaduct {

/// A longer frame is garbage: no request or reply comes near it.
constexpr std::size_t max_frame_bytes = std::size_t{64} * 1024 * 1024;

/// Length prefix and document. Throws Error(internal) above max_frame_bytes.
std::vector<std::uint8_t> make_frame(std::span<const std::uint8_t> document);

/// Puts frames together from bytes as they come, in pieces of any length.
class FrameReader {
 public:
  void append(std::span<const std::uint8_t> bytes);

  /// The next whole document, or nothing yet. Throws Error(lost) when a prefix is above
  /// max_frame_bytes or zero.
  std::optional<std::vector<std::uint8_t>> next();

  /// Bytes of a frame that has begun and not ended: not zero at end-of-file means a torn frame.
  [[nodiscard]] std::size_t pending_bytes() const { return bytes_.size() - at_; }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

}  // namespace viaduct
