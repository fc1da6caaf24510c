#include "report/json_tree.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace viaduct {

namespace {

/// The tree as the library's document.
nlohmann::json document(const JsonTree& tree, std::uint32_t at) {
  const JsonNode& node = tree.nodes()[at];
  nlohmann::json value;
  switch (node.kind) {
    case JsonNode::Kind::null:
      return nullptr;
    case JsonNode::Kind::truth:
      return node.raw == "true";
    case JsonNode::Kind::text:
      return json_unescaped(node.raw.substr(1, node.raw.size() - 2));
    case JsonNode::Kind::number:
      if (const auto whole = json_unsigned(node.raw)) {
        return *whole;
      }
      if (const auto whole = json_signed(node.raw)) {
        return *whole;
      }
      return json_double(node.raw);
    case JsonNode::Kind::list:
      value = nlohmann::json::array();
      for (std::uint32_t i = at + 1; i < node.after; i = tree.nodes()[i].after) {
        value.push_back(document(tree, i));
      }
      return value;
    case JsonNode::Kind::object:
      value = nlohmann::json::object();
      for (std::uint32_t i = at + 1; i < node.after; i = tree.nodes()[i].after) {
        value[json_unescaped(tree.nodes()[i].key)] = document(tree, i);
      }
      return value;
  }
  return value;
}

const std::vector<std::string>& right_texts() {
  static const std::vector<std::string> texts{
      "null",
      "true",
      " false ",
      "0",
      "-0",
      "-12",
      "18446744073709551615",
      "18446744073709551616",
      "-9223372036854775808",
      "1.5",
      "1e3",
      "-1.25E-2",
      "1e-400",
      "\"\"",
      "\"a\\\"b\\\\c\\/d\\b\\f\\n\\r\\t\"",
      "\"\\u0041\\u00e9\\u20ac\"",
      "\"\\ud83d\\ude00\"",
      "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"",
      "[]",
      "[1, [2, [3]], {}]",
      "{}",
      "{\"a\": 1, \"b\\u0062\": [true, null], \"c\": {\"d\": \"e\"}}",
      "{\"\": {\"\": []}}",
      "\t{\r\n\"a\"\t:\n1 }\n",
  };
  return texts;
}

}  // namespace

TEST(JsonTree, ReadsWhatTheLibraryReads) {
  JsonTree tree;
  for (const std::string& text : right_texts()) {
    ASSERT_TRUE(tree.parse(text)) << text;
    EXPECT_EQ(document(tree, 0), nlohmann::json::parse(text)) << text;
  }
}

TEST(JsonTree, RefusesWhatIsNotJson) {
  JsonTree tree;
  for (const std::string text : {"",
                                 " ",
                                 "nul",
                                 "tru",
                                 "01",
                                 "-",
                                 "+1",
                                 ".5",
                                 "1.",
                                 "1e",
                                 "1e+",
                                 "0x10",
                                 "NaN",
                                 "Infinity",
                                 "'a'",
                                 "\"a",
                                 "\"a\\\"",
                                 "\"\\x\"",
                                 "\"\\u12\"",
                                 "\"\\u12g4\"",
                                 "\"a\nb\"",
                                 "\"\xff\"",
                                 "\"\xC3\"",
                                 "\"\xC0\xAF\"",
                                 "\"\xED\xA0\x80\"",
                                 "\"\xF4\x90\x80\x80\"",
                                 "[1",
                                 "[1,]",
                                 "[,1]",
                                 "[1 2]",
                                 "{",
                                 "{\"a\"}",
                                 "{\"a\":}",
                                 "{\"a\":1,}",
                                 "{a:1}",
                                 "{\"a\":1 \"b\":2}",
                                 "1 2",
                                 "{} x"}) {
    EXPECT_FALSE(tree.parse(text)) << text;
    EXPECT_TRUE(tree.nodes().empty()) << text;
    EXPECT_TRUE(nlohmann::json::parse(text, nullptr, false).is_discarded()) << text;
  }
}

TEST(JsonTree, RefusesDeepNestingInsteadOfOverflowing) {
  JsonTree tree;
  EXPECT_TRUE(tree.parse(std::string(100, '[') + std::string(100, ']')));
  EXPECT_FALSE(tree.parse(std::string(200, '[') + std::string(200, ']')));
  EXPECT_FALSE(tree.parse(std::string(1000000, '[')));
}

/// Every text with one byte changed, cut or doubled: both accept it with the same value, or
/// neither.
TEST(JsonTree, AgreesWithTheLibraryOnDamagedTexts) {
  std::mt19937 random(7);
  JsonTree tree;
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = right_texts()[random() % right_texts().size()];
    const std::size_t at = random() % text.size();
    switch (random() % 3) {
      case 0:
        text[at] = static_cast<char>(random() % 256);
        break;
      case 1:
        text.erase(at, 1 + random() % 3);
        break;
      default:
        text.insert(at, 1, text[random() % text.size()]);
        break;
    }
    const nlohmann::json expected = nlohmann::json::parse(text, nullptr, false);
    const bool is_lone_surrogate = text.find("\\u") != std::string::npos;
    const bool is_huge = text.find_first_of("eE") != std::string::npos;
    if (!tree.parse(text)) {
      EXPECT_TRUE(expected.is_discarded() || text.find('\0') != std::string::npos) << text;
    } else if (!is_lone_surrogate && !is_huge) {
      // The library refuses halves of a pair and numbers beyond a double; here the reader of the
      // field does.
      ASSERT_FALSE(expected.is_discarded()) << text;
      EXPECT_EQ(document(tree, 0), expected) << text;
      ++accepted;
    }
  }
  EXPECT_GT(accepted, 1000);
}

TEST(JsonTree, FindsKeysAlsoWrittenWithEscapes) {
  JsonTree tree;
  const std::string text = R"({"\u0061b": 1, "c": {"ab": 2}, "c": 3})";
  ASSERT_TRUE(tree.parse(text));
  ASSERT_TRUE(tree.find(0, "ab"));
  EXPECT_EQ(tree.nodes()[*tree.find(0, "ab")].raw, "1");
  EXPECT_EQ(tree.nodes()[*tree.find(0, "c")].raw, R"({"ab": 2})");
  EXPECT_FALSE(tree.find(0, "d"));
}

TEST(JsonTree, SaysWhichNumbersAreWhole) {
  EXPECT_EQ(json_unsigned("18446744073709551615"), ~std::uint64_t{0});
  EXPECT_FALSE(json_unsigned("18446744073709551616"));
  EXPECT_FALSE(json_unsigned("-1"));
  EXPECT_FALSE(json_unsigned("1.0"));
  EXPECT_EQ(json_signed("-5"), -5);
  EXPECT_FALSE(json_signed("1e2"));
  EXPECT_TRUE(std::isinf(json_double("1e999")));
  EXPECT_EQ(json_double("1e-999"), 0);
  EXPECT_EQ(json_double("0.1"), 0.1);
}

TEST(JsonTree, MakesLoneSurrogatesVisible) {
  EXPECT_EQ(json_unescaped(R"(\ud83dx)"), "\xEF\xBF\xBDx");
  EXPECT_EQ(json_unescaped(R"(\ude00)"), "\xEF\xBF\xBD");
}

}  // namespace viaduct
