#include "app/output_file.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/stat.h>

namespace viaduct {
namespace {

class OutputFile : public testing::Test {
 public:
  OutputFile() {
    std::string name = (std::filesystem::temp_directory_path() / "viaduct-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }

  ~OutputFile() override { std::filesystem::remove_all(folder_); }

  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

 protected:
  [[nodiscard]] std::string file(const std::string& name) const { return folder_ / name; }

  static std::string text_of(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }

  static ErrorKind failure(const std::string& file) {
    try {
      write_output_file("-o", "text", file);
    } catch (const Error& error) {
      EXPECT_NE(error.message().find(file), std::string::npos) << error.message();
      return error.kind();
    }
    ADD_FAILURE() << file << " was written";
    return ErrorKind::internal;
  }

  [[nodiscard]] std::size_t files() const {
    using Entries = std::filesystem::directory_iterator;
    return static_cast<std::size_t>(std::distance(Entries(folder_), Entries()));
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(OutputFile, ReplacesWhatWasThere) {
  write_output_file("-o", "a longer one", file("a"));
  write_output_file("-o", "short", file("a"));
  EXPECT_EQ(text_of(file("a")), "short");
  EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFile, KeepsALinkAndWritesWhatItNames) {
  write_output_file("-o", "old", file("a"));
  std::filesystem::create_symlink(file("a"), file("link"));
  write_output_file("-o", "new", file("link"));
  EXPECT_TRUE(std::filesystem::is_symlink(file("link")));
  EXPECT_EQ(text_of(file("a")), "new");
  EXPECT_EQ(files(), 2U);
}

TEST_F(OutputFile, WritesToADeviceAndLeavesItOne) {
  // A link stands between: were the device replaced, it would be the link here.
  std::filesystem::create_symlink("/dev/null", file("null"));
  write_output_file("-o", "gone", file("null"));
  EXPECT_TRUE(std::filesystem::is_symlink(file("null")));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFile, SaysThatADeviceIsFull) {
  std::filesystem::create_symlink("/dev/full", file("full"));
  EXPECT_EQ(failure(file("full")), ErrorKind::io);
  EXPECT_TRUE(std::filesystem::is_symlink(file("full")));
}

TEST_F(OutputFile, DoesNotWaitForAReaderOfAPipe) {
  ASSERT_EQ(mkfifo(file("pipe").c_str(), 0600), 0);
  EXPECT_EQ(failure(file("pipe")), ErrorKind::usage);
  EXPECT_TRUE(std::filesystem::is_fifo(file("pipe")));
}

TEST_F(OutputFile, RefusesAFolderAndAPlaceThatIsNot) {
  std::filesystem::create_directory(file("folder"));
  EXPECT_EQ(failure(file("folder")), ErrorKind::usage);
  EXPECT_EQ(failure(file("none/a")), ErrorKind::usage);
  EXPECT_EQ(files(), 1U);
}

}  // namespace
}  // namespace viaduct
