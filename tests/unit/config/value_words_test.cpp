#include "config/value_words.hpp"

#include "usage_message.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace viaduct {
namespace {

class TrafficFile : public testing::Test {
 protected:
  ~TrafficFile() override { std::filesystem::remove(path_); }

  std::string write(const std::string& text) {
    std::ofstream(path_) << text;
    return path_;
  }

  /// The complaint without the folder of the file.
  std::string complaint(const std::string& text) {
    const std::string file = write(text);
    std::string message = usage_message([&] { traffic_of_word(file); });
    return message.replace(message.find(path_), path_.size(), "FILE");
  }

 private:
  std::string path_ = std::filesystem::temp_directory_path() /
                      ("viaduct-traffic-" + std::to_string(getpid()) + ".txt");
};

TEST_F(TrafficFile, IsASquareOfWeights) {
  const std::string file = write("# two ranks\n 0 1.5 # to the other one\n\n2, 0\n");
  const Traffic traffic = traffic_of_word(file);
  EXPECT_EQ(traffic.name, std::filesystem::path(file).filename().string());
  EXPECT_EQ(traffic.weights, (std::vector<double>{0, 1.5, 2, 0}));
}

TEST_F(TrafficFile, NamesWhatIsWrongWithIt) {
  EXPECT_EQ(complaint("0 1\n1 -2\n"), "FILE:2: '-2' is not a weight; write a number of 0 or more");
  EXPECT_EQ(complaint("0 nan\n"), "FILE:1: 'nan' is not a weight; write a number of 0 or more");
  EXPECT_EQ(complaint("0 1\n1\n"), "FILE:2: 1 weights, where the lines before have 2");
  EXPECT_EQ(complaint("0 1 2\n1 0 2\n"),
            "FILE holds 2 lines of 3 weights; as many lines as weights are needed, one for each "
            "rank");
  EXPECT_EQ(complaint("# nothing\n"),
            "FILE holds 0 lines of 0 weights; as many lines as weights are needed, one for each "
            "rank");
  EXPECT_EQ(complaint("0 1e308\n1e308 0\n"),
            "FILE: weights are 0, or from 1e-30 to 1e30; only their ratios matter");
  EXPECT_EQ(complaint("0 0\n0 0\n"), "FILE: every weight is 0, so nothing would be sent");
}

TEST(TrafficWord, NamesTheGeneratedOnes) {
  EXPECT_EQ(traffic_of_word("uniform"), Traffic{});
  EXPECT_EQ(traffic_of_word("skewed").name, "skewed");
  EXPECT_EQ(usage_message([] { traffic_of_word("/no/such/file"); }),
            "file of traffic '/no/such/file' cannot be read: No such file or directory");
}

}  // namespace
}  // namespace viaduct
