#include "report/result_writer.hpp"

#include "core/error.hpp"
#include "report/result_reader.hpp"
#include "unit/report/sample_result.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace viaduct {

namespace {

namespace fs = std::filesystem;

class ResultWriterTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "viaduct-writer-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }

  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
};

std::string message_of_opening(const std::string& folder, const std::string& name) {
  try {
    const ResultWriter writer(folder, name);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.message();
  }
  return "no error";
}

/// A limit on the size of files stands in for a full disk: write() first writes a part, then fails.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }

  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

}  // namespace

TEST_F(ResultWriterTest, WritesWhatTheReaderReads) {
  const Result sample = test::sample_result();
  ResultWriter writer((folder_ / "a" / "b").string(), "quick-1");
  EXPECT_EQ(writer.file(), (folder_ / "a" / "b" / "quick-1.jsonl").string());
  writer.write(sample.manifest);
  for (const Measurement& measurement : sample.measurements) {
    writer.write(measurement);
  }
  for (const Verdict& verdict : sample.verdicts) {
    writer.write(verdict);
  }
  writer.write(*sample.end);
  const Result read = read_result(writer.file());
  EXPECT_EQ(read.measurements.size(), sample.measurements.size());
  EXPECT_EQ(read.verdicts.size(), sample.verdicts.size());
  EXPECT_EQ(to_json(read.manifest), to_json(sample.manifest));
  ASSERT_TRUE(read.end.has_value());
  EXPECT_EQ(read.end->exit_code, 7);
  EXPECT_FALSE(read.last_line_torn);
}

TEST_F(ResultWriterTest, EachLineIsInTheFileAtOnce) {
  ResultWriter writer(folder_.string(), "run");
  writer.write(test::sample_manifest());
  const Result read = read_result(writer.file());
  EXPECT_EQ(read.manifest.ranks, 2);
  EXPECT_FALSE(read.end.has_value());
}

TEST_F(ResultWriterTest, NeverOverwrites) {
  const ResultWriter first(folder_.string(), "run.jsonl");
  const ResultWriter second(folder_.string(), "run.jsonl");
  const ResultWriter third(folder_.string(), "run");
  EXPECT_EQ(first.file(), (folder_ / "run.jsonl").string());
  EXPECT_EQ(second.file(), (folder_ / "run-2.jsonl").string());
  EXPECT_EQ(third.file(), (folder_ / "run-3.jsonl").string());
}

TEST_F(ResultWriterTest, CutsATornLineOffAndNamesFileAndReason) {
  ResultWriter writer(folder_.string(), "run");
  writer.write(test::sample_manifest());
  const auto whole = fs::file_size(writer.file());
  std::string message;
  {
    const FileSizeLimit limit(whole + 100);
    try {
      writer.write(test::sample_measurement("direct", 25));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io);
      message = error.message();
    }
  }
  EXPECT_NE(message.find(writer.file()), std::string::npos) << message;
  EXPECT_NE(message.find("File too large"), std::string::npos) << message;
  EXPECT_EQ(fs::file_size(writer.file()), whole);
  EXPECT_FALSE(read_result(writer.file()).last_line_torn);
}

TEST_F(ResultWriterTest, GoesOnAfterATornLine) {
  ResultWriter writer(folder_.string(), "run");
  writer.write(test::sample_manifest());
  {
    const FileSizeLimit limit(fs::file_size(writer.file()) + 100);
    EXPECT_THROW(writer.write(test::sample_measurement("direct", 25)), Error);
  }
  writer.write(End{"failed", 1, "disk full", 3, 0, 0, 0, 0});
  const Result read = read_result(writer.file());
  EXPECT_TRUE(read.measurements.empty());
  EXPECT_EQ(read.end->reason, "disk full");
}

TEST_F(ResultWriterTest, WritesTextThatIsNoUtf8) {
  Manifest manifest = test::sample_manifest();
  manifest.hosts[0].variables["NCCL_X"] = "\xff\xfe";
  ResultWriter writer(folder_.string(), "run");
  writer.write(manifest);
  EXPECT_EQ(read_result(writer.file()).manifest.hosts.size(), 1U);
}

TEST_F(ResultWriterTest, RefusesAFolderThatCannotBeMade) {
  std::ofstream(folder_ / "file") << "x";
  const std::string below = (folder_ / "file" / "sub").string();
  const std::string message = message_of_opening(below, "run");
  EXPECT_NE(message.find(below), std::string::npos) << message;
  EXPECT_NE(message.find("--out"), std::string::npos) << message;
  EXPECT_NE(message_of_opening((folder_ / "file").string(), "run"), "no error");
}

TEST_F(ResultWriterTest, RefusesAFileThatCannotBeMade) {
  const std::string message = message_of_opening("/proc", "run");
  EXPECT_NE(message.find("/proc/run.jsonl"), std::string::npos) << message;
}

TEST_F(ResultWriterTest, RefusesNamesThatLeaveTheFolder) {
  for (const char* name : {"", "..", "a/b", "../x"}) {
    EXPECT_NE(message_of_opening(folder_.string(), name), "no error") << name;
  }
}

}  // namespace viaduct
