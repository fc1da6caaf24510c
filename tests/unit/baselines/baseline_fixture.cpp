#include "unit/baselines/baseline_fixture.hpp"

#include "baselines/import_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace viaduct {

std::filesystem::path own_fixture(const std::string& file) {
  return std::filesystem::path(VIADUCT_SOURCE_DIR) / "tests/fixtures/baselines" / file;
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

Baseline own_baseline(const std::string& file) {
  return import_text(text_of(own_fixture(file)), file);
}

std::filesystem::path public_fixtures() {
  const char* named = std::getenv("VIADUCT_PUBLIC_FIXTURES");
  const std::filesystem::path folder =
      named != nullptr ? std::filesystem::path(named)
                       : std::filesystem::path(VIADUCT_SOURCE_DIR) / "../shared/fixtures/public";
  return std::filesystem::is_directory(folder) ? folder : std::filesystem::path();
}

Baseline public_baseline(const std::string& begin) {
  for (const auto& entry : std::filesystem::directory_iterator(public_fixtures())) {
    if (entry.path().filename().string().starts_with(begin)) {
      return import_text(text_of(entry.path()), begin);
    }
  }
  ADD_FAILURE() << "no file " << begin;
  return {};
}

bool has_note(const BaselineRun& run, const std::string& word, const std::string& part) {
  return std::any_of(run.notes.begin(), run.notes.end(), [&](const BaselineNote& note) {
    return note.word == word && note.text.find(part) != std::string::npos;
  });
}

}  // namespace viaduct
