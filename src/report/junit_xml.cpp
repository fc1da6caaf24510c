#include "report/junit_xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace viaduct {

namespace {

using Outcome = JunitCase::Outcome;

/// For text and attributes alike. Line ends stay lines only as references inside attributes.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
      case '\r':
      case '\t':
        out += fmt::format("&#{};", static_cast<unsigned>(code));
        break;
      default:
        out += code < 0x20 ? "\xEF\xBF\xBD" : std::string(1, c);
    }
  }
  return out;
}

std::size_t count_of(const JunitSuite& suite, Outcome outcome) {
  return static_cast<std::size_t>(
      std::count_if(suite.cases.begin(), suite.cases.end(), [outcome](const JunitCase& one) {
        return one.outcome == outcome;
      }));
}

const char* element_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::failed:
      return "failure";
    case Outcome::error:
      return "error";
    default:
      return "skipped";
  }
}

std::string case_xml(const JunitCase& one) {
  std::string text = fmt::format(
      "    <testcase classname=\"{}\" name=\"{}\"", escaped(one.suite_class), escaped(one.name));
  if (one.time_s > 0) {
    text += fmt::format(" time=\"{:.9f}\"", one.time_s);
  }
  if (one.outcome == Outcome::passed && one.output.empty()) {
    return text + "/>\n";
  }
  text += ">\n";
  if (one.outcome != Outcome::passed) {
    text +=
        fmt::format("      <{} message=\"{}\"/>\n", element_of(one.outcome), escaped(one.message));
  }
  if (!one.output.empty()) {
    text += fmt::format("      <system-out>{}</system-out>\n", escaped(one.output));
  }
  return text + "    </testcase>\n";
}

std::string suite_xml(const JunitSuite& suite) {
  std::string text = fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
      escaped(suite.name),
      suite.cases.size(),
      count_of(suite, Outcome::failed),
      count_of(suite, Outcome::error),
      count_of(suite, Outcome::skipped));
  text += suite.timestamp.empty() ? "" : fmt::format(" timestamp=\"{}\"", escaped(suite.timestamp));
  text += ">\n";
  if (!suite.properties.empty()) {
    text += "    <properties>\n";
    for (const auto& [key, value] : suite.properties) {
      text +=
          fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", escaped(key), escaped(value));
    }
    text += "    </properties>\n";
  }
  for (const JunitCase& one : suite.cases) {
    text += case_xml(one);
  }
  return text + "  </testsuite>\n";
}

}  // namespace

std::string junit_xml(const std::vector<JunitSuite>& suites) {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::string body;
  for (const JunitSuite& suite : suites) {
    tests += suite.cases.size();
    failures += count_of(suite, Outcome::failed);
    errors += count_of(suite, Outcome::error);
    body += suite_xml(suite);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"viaduct\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n{}</testsuites>\n",
      tests,
      failures,
      errors,
      body);
}

}  // namespace viaduct
