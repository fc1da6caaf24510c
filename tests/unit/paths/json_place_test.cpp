#include "paths/json_place.hpp"

#include <gtest/gtest.h>

#include <string>

namespace viaduct {
namespace {

template <typename Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_EQ(error.message().find('\n'), std::string::npos) << "more than one line";
    return error.message();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

TEST(ParseJson, NamesLineAndColumn) {
  const std::string message = message_of([] { parse_json("{\n  \"a\": 1,\n  b\n}", "f.json"); });
  EXPECT_EQ(message.rfind("f.json: not JSON: at line 3, column 3: ", 0), 0U) << message;
  EXPECT_EQ(message_of([] {
              parse_json("", "f.json");
            }).rfind("f.json: not JSON: at line 1, column 1: ", 0),
            0U);
}

TEST(ParseJson, RefusesAKeyThatStandsTwice) {
  EXPECT_EQ(message_of([] { parse_json(R"({"a": {"b": 1, "b": 2}})", "f.json"); }),
            "f.json: key 'b' stands twice in one object");
  EXPECT_NO_THROW(parse_json(R"({"a": {"b": 1}, "b": [{"b": 1}, {"b": 2}]})", "f.json"));
}

TEST(ParseJson, RefusesNumbersOutOfRangeAndBrokenText) {
  EXPECT_NE(message_of([] { parse_json("[1e999]", "f.json"); }).find("f.json: not JSON: "),
            std::string::npos);
  EXPECT_NE(message_of([] { parse_json("[\"\xff\"]", "f.json"); }).find("f.json: not JSON: "),
            std::string::npos);
}

TEST(ParseJson, RefusesDeepNesting) {
  EXPECT_NO_THROW(parse_json(std::string(50, '[') + std::string(50, ']'), "f.json"));
  for (const std::size_t depth : {200UL, 1000000UL}) {
    EXPECT_EQ(message_of([depth] {
                parse_json(std::string(depth, '[') + std::string(depth, ']'), "f.json");
              }),
              "f.json: nested more than 100 levels deep");
  }
}

TEST(JsonPlace, EscapesKeysInPointers) {
  const nlohmann::json document = parse_json(R"({"a/b~c": 1})", "f.json");
  const JsonPlace top(document, "f.json");
  EXPECT_EQ(top.at("a/b~c").pointer(), "/a~1b~0c");
}

TEST(JsonPlace, SaysWhatItWantedAndGot) {
  const nlohmann::json document =
      parse_json(R"({"n": -1, "f": 1.5, "t": "x", "l": [], "o": {"k": null}})", "f.json");
  const JsonPlace top(document, "f.json");
  EXPECT_EQ(message_of([&] { (void)top.at("n").whole_number(1, 9); }),
            "f.json: /n: must be a whole number from 1 to 9, but is -1");
  EXPECT_EQ(message_of([&] { (void)top.at("f").whole_number(1, 9); }),
            "f.json: /f: must be a whole number from 1 to 9, but is 1.5");
  EXPECT_EQ(message_of([&] { (void)top.at("n").number_above(0); }),
            "f.json: /n: must be a number above 0, but is -1");
  EXPECT_EQ(message_of([&] { (void)top.at("t").flag(); }),
            "f.json: /t: must be true or false, but is \"x\"");
  EXPECT_EQ(message_of([&] { (void)top.at("t").elements(); }),
            "f.json: /t: must be a list, but is \"x\"");
  EXPECT_EQ(message_of([&] { (void)top.at("l").elements(); }),
            "f.json: /l: must not be an empty list");
  EXPECT_EQ(message_of([&] { (void)top.at("o").at("k").text(); }),
            "f.json: /o/k: must be a string, but is null");
  EXPECT_EQ(message_of([&] { (void)top.at("o").at("z"); }), "f.json: /o: key 'z' is missing");
  EXPECT_TRUE(top.at("l").elements(true).empty());
}

}  // namespace
}  // namespace viaduct
