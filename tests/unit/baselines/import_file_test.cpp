#include "baselines/import_file.hpp"

#include "baselines/baseline_views.hpp"
#include "baselines/reader.hpp"
#include "core/error.hpp"
#include "unit/baselines/baseline_fixture.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <set>
#include <sys/stat.h>

namespace viaduct {
namespace {

std::string usage_message(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.message();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

TEST(ImportFile, NamesWhatItCannotRead) {
  const auto message_of = [](const std::string& text) {
    return usage_message([&] { (void)import_text(text, "name.txt"); });
  };
  EXPECT_NE(message_of("").find("name.txt: empty"), std::string::npos);
  EXPECT_NE(message_of(std::string("\x1f\x8b\0\0", 4)).find("not a text file"), std::string::npos);
  EXPECT_NE(message_of("hello\n").find("known: "), std::string::npos);
  EXPECT_NE(message_of("{\"a\": 1}").find("no format known here"), std::string::npos);
}

TEST(ImportFile, NamesFilesThatAreNone) {
  const auto folder = own_fixture("").parent_path().string();
  EXPECT_NE(usage_message([&] { (void)read_text_file(folder); }).find("a folder"),
            std::string::npos);
  EXPECT_NE(usage_message([&] { (void)read_text_file(folder + "/none"); }).find("No such file"),
            std::string::npos);
  EXPECT_NE(usage_message([&] { (void)read_text_file("/dev/null"); }).find("not a regular file"),
            std::string::npos);
}

TEST(ImportFile, DoesNotWaitForAPipe) {
  std::string folder = (std::filesystem::temp_directory_path() / "viaduct-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string pipe = folder + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(usage_message([&] { (void)read_text_file(pipe); }), pipe + ": not a regular file");
  std::filesystem::remove_all(folder);
}

TEST(ImportFile, TakesTheFormatThatIsNamed) {
  const std::string text = text_of(own_fixture("all_reduce-direct.txt"));
  EXPECT_EQ(import_text(text, "f", "nccl-tests").runs.size(), 1U);
  EXPECT_EQ(import_text(text, "f", "nvbandwidth").runs.size(), 0U);
  EXPECT_NE(usage_message([&] { (void)import_text(text, "f", "ncl-tests"); }).find("'nccl-tests'"),
            std::string::npos);
}

TEST(ImportFile, KnowsEveryReaderByAName) {
  std::set<std::string> names;
  for (const BaselineReader* reader : baselines::all()) {
    EXPECT_TRUE(names.insert(reader->name).second) << reader->name;
    EXPECT_NE(std::string(reader->summary), "");
  }
  EXPECT_EQ(names.size(), 6U);
}

TEST(ImportFile, ReadsBehindAByteOrderMark) {
  const std::string text = "\xEF\xBB\xBF" + text_of(own_fixture("all_reduce-direct.json"));
  EXPECT_EQ(import_text(text, "f").runs.at(0).rows.size(), 9U);
}

// What a file says stays what it is, also bytes that are no UTF-8.
TEST(ImportFile, PrintsBytesThatAreNoUtf8) {
  std::string text = text_of(own_fixture("all_reduce-direct.txt"));
  const std::size_t at = text.find("sum      -1");
  text.replace(at, 3, "\xff\xfe\xfd");
  const Baseline baseline = import_text(text, "f");
  EXPECT_EQ(baseline.runs.at(0).rows.size(), 9U);
  EXPECT_NE(baseline_json(baseline).find("\xEF\xBF\xBD"), std::string::npos);
}

TEST(ImportFile, TextNamesWhatAPersonMustKnow) {
  const std::string text = baseline_text(own_baseline("all_reduce-direct.txt"));
  for (const char* part : {"nccl-tests 2.19.6",
                           "NCCL 2.28.3",
                           "all_reduce",
                           "2 ranks on 1 host",
                           "NVIDIA H200",
                           "average busbw 67.385",
                           "peak busbw 286.67",
                           "128M"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
}

// A log that was emptied (copytruncate) while a job wrote to it begins with zeros.
TEST(ImportFile, ReadsBesideNulBytesAndCountsThem) {
  const std::string text = text_of(own_fixture("all_reduce-direct.txt"));
  for (const std::size_t zeros : {3U, 100000U}) {
    const Baseline baseline = import_text(std::string(zeros, '\0') + text, "log");
    EXPECT_EQ(baseline.runs.at(0).rows.size(), 9U);
    ASSERT_EQ(baseline.notes.size(), 1U);
    EXPECT_EQ(
        baseline.notes[0].text.find(std::to_string(zeros) + " NUL bytes, the first in line 1"), 0U);
  }
  // A digit that a zero took away makes no other number of what is left.
  std::string holed = text;
  holed[holed.find("134217728") + 4] = '\0';
  const Baseline baseline = import_text(holed, "log");
  EXPECT_EQ(baseline.runs.at(0).rows.size(), 8U);
  EXPECT_EQ(baseline.notes.at(0).text.find("1 NUL byte, the first in line "), 0U);
}

TEST(ImportFile, NamesTextsOfOtherEncodings) {
  const auto message_of = [](const std::string& text) {
    return usage_message([&] { (void)import_text(text, "name.txt"); });
  };
  EXPECT_EQ(message_of(std::string("\xFF\xFE#\0\n\0", 6)),
            "name.txt: UTF-16; turn it into UTF-8 first: iconv -f UTF-16 -t UTF-8");
  EXPECT_EQ(message_of(std::string(100, '\0')), "name.txt: 100 NUL bytes and nothing else");
}

}  // namespace
}  // namespace viaduct
