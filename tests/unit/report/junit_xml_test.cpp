#include "report/junit_xml.hpp"

#include <gtest/gtest.h>

#include <string>

namespace viaduct {

namespace {

using Outcome = JunitCase::Outcome;

}  // namespace

TEST(JunitXml, CountsOutcomes) {
  JunitSuite suite{"s", "", {}, {}};
  suite.cases.push_back({"c", "passed", 0, Outcome::passed, "", ""});
  suite.cases.push_back({"c", "failed", 0, Outcome::failed, "why", ""});
  suite.cases.push_back({"c", "error", 0, Outcome::error, "why", ""});
  suite.cases.push_back({"c", "skipped", 0, Outcome::skipped, "why", ""});
  const std::string text = junit_xml({suite, suite});
  EXPECT_NE(text.find("<testsuites name=\"viaduct\" tests=\"8\" failures=\"2\" errors=\"2\">"),
            std::string::npos);
  EXPECT_NE(
      text.find("<testsuite name=\"s\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\">"),
      std::string::npos);
}

TEST(JunitXml, EscapesEverything) {
  JunitSuite suite{"<s>", "2026-11-30T10:48:17", {{"k\"", "v&"}}, {}};
  suite.cases.push_back(
      {"a<b", "c\"d\n\x01", 0.5, Outcome::failed, "<e> & \"f\"", "g</system-out>"});
  EXPECT_EQ(junit_xml({suite}),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites name=\"viaduct\" tests=\"1\" failures=\"1\" errors=\"0\">\n"
            "  <testsuite name=\"&lt;s&gt;\" tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\" "
            "timestamp=\"2026-11-30T10:48:17\">\n"
            "    <properties>\n"
            "      <property name=\"k&quot;\" value=\"v&amp;\"/>\n"
            "    </properties>\n"
            "    <testcase classname=\"a&lt;b\" name=\"c&quot;d&#10;\xEF\xBF\xBD\" "
            "time=\"0.500000000\">\n"
            "      <failure message=\"&lt;e&gt; &amp; &quot;f&quot;\"/>\n"
            "      <system-out>g&lt;/system-out&gt;</system-out>\n"
            "    </testcase>\n"
            "  </testsuite>\n"
            "</testsuites>\n");
}

}  // namespace viaduct
