#include "unit/topology/topology_fixtures.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace viaduct::test {
namespace {

const std::string source = VIADUCT_SOURCE_DIR;

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

std::string own_fixture(const std::string& file) {
  return text_of(source + "/tests/fixtures/topology/" + file);
}

std::optional<std::string> public_fixture(const std::string& begin) {
  const char* named = std::getenv("VIADUCT_PUBLIC_FIXTURES");
  const std::filesystem::path folder =
      named != nullptr ? named : source + "/../shared/fixtures/public";
  if (!std::filesystem::is_directory(folder)) {
    return std::nullopt;
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename().string().starts_with(begin)) {
      return text_of(entry.path());
    }
  }
  ADD_FAILURE() << "no file " << begin << " in " << folder;
  return std::nullopt;
}

}  // namespace viaduct::test
