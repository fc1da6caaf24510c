#include "report/json_writer.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace viaduct {

TEST(JsonWriter, WritesWhatTheLibraryReads) {
  JsonWriter json;
  json.begin_object();
  json.text_at("text", "a\"b\\c\n\t\x01 \xC3\xA9");
  json.number_at("half", 0.5);
  json.number_at("unknown", std::nullopt);
  json.whole_at("whole", std::uint64_t{18446744073709551615ULL});
  json.flag_at("flag", true);
  json.texts_at("texts", {"a", "b"});
  json.key("list");
  json.begin_list();
  json.begin_object();
  json.end();
  json.begin_list();
  json.end();
  json.null();
  json.short_number(1.0 / 3);
  json.number_text("12.50");
  json.end();
  json.end();
  const nlohmann::json expected = {
      {"text", "a\"b\\c\n\t\x01 \xC3\xA9"},
      {"half", 0.5},
      {"unknown", nullptr},
      {"whole", 18446744073709551615ULL},
      {"flag", true},
      {"texts", {"a", "b"}},
      {"list", {nlohmann::json::object(), nlohmann::json::array(), nullptr, 0.333333, 12.5}}};
  EXPECT_EQ(nlohmann::json::parse(json.take()), expected);
}

TEST(JsonWriter, IsHarmlessInsideAScriptElement) {
  JsonWriter json;
  json.text("</script><!-- & \xE2\x80\xA8\xE2\x80\xA9");
  const std::string text = json.take();
  EXPECT_EQ(text, R"("\u003c/script\u003e\u003c!-- \u0026 \u2028\u2029")");
}

TEST(JsonWriter, ReplacesBytesThatAreNoText) {
  JsonWriter json;
  json.text("a\xff\xC3(b");
  EXPECT_EQ(json.take(), R"("a\ufffd\ufffd(b")");
}

TEST(JsonWriter, HasNoInfinities) {
  JsonWriter json;
  json.begin_list();
  json.number(std::numeric_limits<double>::infinity());
  json.short_number(std::numeric_limits<double>::quiet_NaN());
  json.number_text("inf");
  json.end();
  EXPECT_EQ(json.take(), "[null,null,null]");
}

TEST(JsonWriter, IsNotTakenBeforeItsEnd) {
  JsonWriter json;
  json.begin_list();
  EXPECT_THROW(json.take(), Error);
}

}  // namespace viaduct
