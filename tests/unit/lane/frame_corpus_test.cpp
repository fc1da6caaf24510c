// The seeds of the fuzzer through its own entry, so that neither is dead.

#include "fuzz/frame_entry.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace viaduct {
namespace {

int documents_in(const std::string& seed) {
  std::ifstream in(VIADUCT_SOURCE_DIR "/tests/fuzz/corpus/frame/" + seed, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  return fuzz::read_frame_input(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

TEST(FrameCorpus, HoldsEveryMessage) {
  EXPECT_EQ(documents_in("requests"), 8);
  EXPECT_EQ(documents_in("replies"), 8);
}

}  // namespace
}  // namespace viaduct
