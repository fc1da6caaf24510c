#include "report/result_reader.hpp"

#include "core/error.hpp"
#include "unit/report/sample_result.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace viaduct {

namespace {

namespace fs = std::filesystem;

class ResultReaderTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "viaduct-reader-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    file_ = (folder_ / "run.jsonl").string();
  }

  void TearDown() override { fs::remove_all(folder_); }

  Result read(const std::string& text) {
    std::ofstream(file_, std::ios::binary) << text;
    return read_result(file_);
  }

  /// The message after "FILE:".
  std::string message_of(const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      const std::string message = error.message();
      EXPECT_EQ(message.rfind(file_ + ":", 0), 0U) << message;
      return message.substr(std::min(message.size(), file_.size() + 1));
    }
    return "no error";
  }

  fs::path folder_;
  std::string file_;
};

std::string manifest_line() {
  return to_json(test::sample_manifest()).dump() + "\n";
}

std::string measurement_line() {
  return to_json(test::sample_measurement("direct", 25)).dump() + "\n";
}

std::string end_line() {
  return to_json(End{}).dump() + "\n";
}

}  // namespace

TEST_F(ResultReaderTest, ReadsAPartialFile) {
  const Result result = read(manifest_line() + measurement_line());
  EXPECT_EQ(result.file, file_);
  EXPECT_EQ(result.measurements.size(), 1U);
  EXPECT_FALSE(result.end.has_value());
  EXPECT_FALSE(result.last_line_torn);
}

TEST_F(ResultReaderTest, LeavesATornLastLineOutWhereverItIsTorn) {
  const std::string line = measurement_line();
  for (std::size_t kept = 1; kept + 1 < line.size(); kept += 37) {
    const Result result = read(manifest_line() + line + line.substr(0, kept));
    EXPECT_TRUE(result.last_line_torn) << kept;
    EXPECT_EQ(result.measurements.size(), 1U) << kept;
  }
}

TEST_F(ResultReaderTest, TakesAWholeLastLineWithoutNewline) {
  std::string text = manifest_line() + end_line();
  text.pop_back();
  const Result result = read(text);
  EXPECT_TRUE(result.end.has_value());
  EXPECT_FALSE(result.last_line_torn);
}

TEST_F(ResultReaderTest, ReadsEvidence) {
  PathEvidence evidence;
  evidence.path = "direct";
  const Result result = read(manifest_line() + to_json(evidence).dump() + "\n" + end_line());
  EXPECT_TRUE(result.end.has_value());
  EXPECT_EQ(result.evidences, std::vector<PathEvidence>{evidence});
}

TEST_F(ResultReaderTest, NamesTheLineThatIsNoJson) {
  EXPECT_EQ(message_of(manifest_line() + measurement_line() + "rubbish\n" + end_line())
                .rfind("3: not JSON", 0),
            0U);
}

TEST_F(ResultReaderTest, NamesAByteOrderMark) {
  EXPECT_EQ(
      message_of("\xEF\xBB\xBF" + manifest_line()).rfind("1: begins with a byte order mark", 0),
      0U);
}

TEST_F(ResultReaderTest, RefusesTimesAndBandwidthsBelowZero) {
  nlohmann::json json = to_json(test::sample_measurement("direct", 25));
  json["time_us"]["median"] = -1;
  EXPECT_EQ(message_of(manifest_line() + json.dump() + "\n"),
            "2: key 'measurement.time_us.median' must be a number from 0, is -1");
  json = to_json(test::sample_measurement("direct", 25));
  json["algbw_gbs"] = -3.5;
  EXPECT_EQ(message_of(manifest_line() + json.dump() + "\n"),
            "2: key 'measurement.algbw_gbs' must be a number from 0, is -3.5");
}

TEST_F(ResultReaderTest, NamesLineAndKey) {
  nlohmann::json json = to_json(test::sample_measurement("direct", 25));
  json.erase("busbw_gbs");
  EXPECT_EQ(message_of(manifest_line() + json.dump() + "\n"),
            "2: key 'measurement.busbw_gbs' is missing");
}

TEST_F(ResultReaderTest, RefusesEndsThatTheRunDidNotHave) {
  const int ranks = test::sample_manifest().ranks;
  for (const int end : {-7, ranks, 1000000000}) {
    for (const char* key : {"from", "to"}) {
      nlohmann::json pair = to_json(test::sample_measurement("direct", 25));
      pair["from"] = 0;
      pair["to"] = 1;
      EXPECT_NO_THROW(read(manifest_line() + pair.dump() + "\n"));
      pair[key] = end;
      EXPECT_EQ(message_of(manifest_line() + pair.dump() + "\n"),
                "2: measurement: " + std::string(key) + ": " + std::to_string(end) +
                    " is no rank of " + std::to_string(ranks));
    }
  }
}

TEST_F(ResultReaderTest, RefusesFilesWithoutManifest) {
  EXPECT_EQ(message_of(""), "1: no manifest; the file is empty");
  EXPECT_EQ(message_of(manifest_line().substr(0, 50)), "1: the manifest is torn");
  EXPECT_EQ(message_of(measurement_line()),
            "1: the first line must be the manifest, is 'measurement'");
  EXPECT_NE(message_of("{\"a\":1}\n").find("not a line of a Viaduct result"), std::string::npos);
  EXPECT_NE(message_of("[1]\n").find("JSON object"), std::string::npos);
}

TEST_F(ResultReaderTest, RefusesANewerSchemaBeforeItsKeys) {
  EXPECT_EQ(
      message_of("{\"record\":\"manifest\",\"schema_version\":2}\n"),
      "1: schema version 2 is newer than 1, the last one this program reads; use a newer viaduct");
}

TEST_F(ResultReaderTest, RefusesASecondManifestAndLinesAfterTheEnd) {
  EXPECT_EQ(message_of(manifest_line() + manifest_line()),
            "2: a second manifest; a file holds one run");
  EXPECT_EQ(message_of(manifest_line() + end_line() + measurement_line()),
            "3: a line 'measurement' after the end of the run");
}

TEST_F(ResultReaderTest, RefusesAnUnknownRecord) {
  EXPECT_EQ(message_of(manifest_line() + "{\"record\":\"sample\"}\n")
                .rfind("2: unknown record 'sample'", 0),
            0U);
}

TEST_F(ResultReaderTest, NamesAFileThatIsNotThere) {
  try {
    read_result(file_);
    FAIL() << "read a file that is not there";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(error.message().find(file_), std::string::npos);
    EXPECT_NE(error.message().find("No such file"), std::string::npos);
  }
  EXPECT_THROW(read_result(folder_.string()), Error);
}

}  // namespace viaduct
