#include "app/same_words.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace viaduct {
namespace {

namespace fs = std::filesystem;

class SameWordsTest : public ::testing::Test {
 protected:
  SameWordsTest() {
    std::string name = (fs::temp_directory_path() / "viaduct-words-test-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }

  ~SameWordsTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  SameWordsTest(const SameWordsTest&) = delete;
  SameWordsTest& operator=(const SameWordsTest&) = delete;

  [[nodiscard]] Environment rank(const std::string& number, const std::string& job = "job") const {
    return {
        {"PMIX_SERVER_TMPDIR", folder_.string()}, {"PMIX_NAMESPACE", job}, {"PMIX_RANK", number}};
  }

  [[nodiscard]] bool is_empty() const { return fs::is_empty(folder_); }

 private:
  fs::path folder_;
};

using Words = std::vector<std::string>;

TEST_F(SameWordsTest, EqualWordsPassAndLeaveNothing) {
  const Words words{"all_reduce", "--paths", "tcp"};
  EXPECT_EQ(complain_of_other_words(rank("0"), words), std::nullopt);
  EXPECT_EQ(complain_of_other_words(rank("1"), words), std::nullopt);
  EXPECT_EQ(complain_of_other_words(rank("0", "other job"), {"sendrecv"}), std::nullopt);
  forget_words(rank("0"));
  forget_words(rank("1"));
  forget_words(rank("0", "other job"));
  EXPECT_TRUE(is_empty());
}

TEST_F(SameWordsTest, OtherWordsAreNamedOnce) {
  EXPECT_EQ(complain_of_other_words(rank("0"), {"all_reduce", "--paths", "tcp"}), std::nullopt);
  EXPECT_EQ(complain_of_other_words(rank("1"), {"all_reduce", "--paths", "double-copy"}),
            "rank 1 was started with 'all_reduce --paths double-copy', rank 0 with 'all_reduce "
            "--paths tcp': every rank must get the same words");
  EXPECT_EQ(complain_of_other_words(rank("2"), {"all_reduce"}), "");
}

TEST_F(SameWordsTest, WithoutAFolderOfTheJobNothingIsSaid) {
  EXPECT_EQ(complain_of_other_words({}, {"all_reduce"}), std::nullopt);
  EXPECT_EQ(complain_of_other_words({{"PMIX_SERVER_TMPDIR", "/no/such"}, {"PMIX_RANK", "0"}}, {}),
            std::nullopt);
  EXPECT_TRUE(is_empty());
}

}  // namespace
}  // namespace viaduct
