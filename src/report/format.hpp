#pragma once
// The forms in which results are shown. Each is one file of formats/ and one word in the list of
// CMakeLists.txt; it makes a text from results and knows no file name to write to.

#include "report/result_reader.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

struct Format {
  const char* name;     ///< the word of --format
  const char* summary;  ///< one line for `viaduct list formats`
  std::string (*render)(const std::vector<Result>& results);
};

namespace formats {

/// Every format, in the order of the list.
const std::vector<const Format*>& all();

}  // namespace formats

/// Throws Error(usage) with the known names.
const Format& find_format(std::string_view name);

}  // namespace viaduct
