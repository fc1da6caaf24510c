#pragma once
// What the fuzzer of the lane does with an input: bytes of a socket through the frame reader, each
// document as a request and as a reply.

#include "core/error.hpp"
#include "lane/frame.hpp"
#include "lane/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

namespace viaduct::fuzz {

/// A document that can be read is written and read again: the same bytes must come. Garbage is
/// Error(lost) and nothing else.
template <typename Decode>
bool decode_and_back(const std::vector<std::uint8_t>& document, const Decode& decode) {
  try {
    const auto message = decode(document);
    const std::vector<std::uint8_t> once = encode(message);
    if (encode(decode(once)) != once) {
      std::abort();
    }
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::lost) {
      std::abort();
    }
    return false;
  }
}

/// How many documents were a request or a reply.
inline int read_frame_input(const std::uint8_t* data, std::size_t size) {
  int read = 0;
  FrameReader reader;
  try {
    // In two pieces, so that a frame ends in the middle of one.
    for (const auto piece :
         {std::span(data, size / 2), std::span(data + size / 2, size - size / 2)}) {
      reader.append(piece);
      while (const auto document = reader.next()) {
        const bool is_request = decode_and_back(*document, &decode_request);
        const bool is_reply = decode_and_back(*document, &decode_reply);
        read += is_request || is_reply ? 1 : 0;
      }
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::lost) {
      std::abort();
    }
  }
  return read;
}

}  // namespace viaduct::fuzz
