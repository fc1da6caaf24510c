// No input may crash or hang a reader: every fixture, cut, spliced and with bytes changed.

#include "baselines/baseline_views.hpp"
#include "baselines/import_file.hpp"
#include "baselines/reader.hpp"
#include "core/error.hpp"
#include "unit/baselines/baseline_fixture.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <random>

namespace viaduct {
namespace {

std::vector<std::string> texts() {
  std::vector<std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(own_fixture("").parent_path())) {
    const std::string text = text_of(entry.path());
    constexpr std::size_t most = 16000;
    if (text.size() <= most) {
      all.push_back(text);
    }
  }
  return all;
}

/// Read and printed, or refused with a usage error; anything else ends the test.
void read_all_ways(const std::string& text) {
  for (const BaselineReader* reader : baselines::all()) {
    try {
      (void)reader->recognizes(text);
      const Baseline baseline = reader->read(text);
      (void)baseline_text(baseline);
      EXPECT_TRUE(nlohmann::json::parse(baseline_json(baseline)).is_array());
      (void)why_nothing(baseline);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage) << error.message();
    }
  }
}

std::string mutated(std::string text,
                    const std::vector<std::string>& others,
                    std::mt19937_64& engine) {
  const auto below = [&engine](std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(engine);
  };
  const std::size_t changes = 1 + below(8);
  for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
    const std::size_t at = below(text.size());
    switch (below(6)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.resize(at);
        break;
      case 2:
        text.erase(at, 1 + below(200));
        break;
      case 3:
        text.insert(at, text.substr(below(text.size()), below(400)));
        break;
      case 4: {
        const std::string& other = others[below(others.size())];
        text.insert(at, other.substr(below(other.size()), below(2000)));
        break;
      }
      default:
        text.insert(at, std::string(1 + below(30), "0123456789eE+-.\n #:[],{}\""[below(24)]));
        break;
    }
  }
  return text;
}

TEST(BaselineMutation, NothingCrashesAReader) {
  const std::vector<std::string> all = texts();
  ASSERT_GE(all.size(), 25U);
  std::mt19937_64 engine(20261130);
  for (const std::string& text : all) {
    read_all_ways(text);
    for (int i = 0; i < 12; ++i) {
      read_all_ways(mutated(text, all, engine));
    }
  }
}

TEST(BaselineMutation, OddTextsAreReadOrRefused) {
  for (const std::string& text :
       {std::string(),
        std::string(1, '\n'),
        std::string(100000, '['),
        std::string(100000, '{'),
        std::string(100000, '9'),
        std::string("# algbw busbw time size type\n") + std::string(1000, ' '),
        std::string("# size type time algbw busbw time algbw busbw time\n1 x\n"),
        std::string("{\"results\": 3, \"config\": []}"),
        std::string("{\"results\": [1, null, []], \"config\": {\"devices\": 1}}"),
        std::string("{\"nvbandwidth\": {\"testcases\": [{\"bandwidth_matrix\": [3]}]}}"),
        std::string("Running (row)(column)\n(row)(column)\n0\n0\n")}) {
    read_all_ways(text);
  }
}

}  // namespace
}  // namespace viaduct
