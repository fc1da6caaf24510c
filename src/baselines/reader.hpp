#pragma once
// A reader of one format of another tool. A new one is one file with one such value and one word in
// CMakeLists.txt.

#include "baselines/baseline.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

struct BaselineReader {
  const char* name;     ///< word of --format
  const char* summary;  ///< for `viaduct list formats`

  /// Whether the text is of this format. Looks at all of it: a log may be long before its table.
  bool (*recognizes)(std::string_view text);

  /// Reads it, and judges what it read. No text makes it crash; throws Error(usage) with the reason
  /// where nothing can be read at all (a JSON document that is cut off).
  Baseline (*read)(std::string_view text);
};

namespace baselines {

/// In the order in which they are asked.
const std::vector<const BaselineReader*>& all();

}  // namespace baselines

}  // namespace viaduct
