#pragma once
// JUnit XML, as CI servers read it. It knows suites, cases and outcomes, not what was measured.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace viaduct {

struct JunitCase {
  enum class Outcome { passed, failed, error, skipped };

  std::string suite_class;  ///< attribute classname: groups cases within a suite
  std::string name;
  double time_s = 0;  ///< 0: not said
  Outcome outcome = Outcome::passed;
  std::string message;  ///< of what is not passed
  std::string output;   ///< what a person may want to read besides; may be empty
};

struct JunitSuite {
  std::string name;
  std::string timestamp;  ///< ISO 8601 without zone; empty: not said
  std::vector<std::pair<std::string, std::string>> properties;
  std::vector<JunitCase> cases;
};

/// A whole document. Characters that XML 1.0 cannot hold become U+FFFD.
std::string junit_xml(const std::vector<JunitSuite>& suites);

}  // namespace viaduct
