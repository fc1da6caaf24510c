// libFuzzer target: the frame reader and the CBOR messages of a lane.

#include "fuzz/frame_entry.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  viaduct::fuzz::read_frame_input(data, size);
  return 0;
}
