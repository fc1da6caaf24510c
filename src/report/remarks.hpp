#pragma once
// What a result comes to, in sentences that a person can act on, the gravest first.

#include "report/result_reader.hpp"
#include "report/table_groups.hpp"

#include <string>
#include <vector>

namespace viaduct {

struct Remark {
  /// bad: something failed. warn: look at it before you trust the numbers. good: as it should be.
  /// note: what to know when reading them.
  enum class Level { bad, warn, good, note };

  Level level = Level::note;
  std::string text;  ///< one sentence without a line end
};

/// "bad", "warn", "good", "note".
const char* name(Remark::Level level);

/// Some dozens at most, however large the result: of many alike the first few, and how many more.
std::vector<Remark> remarks_on(const Result& result,
                               const std::vector<CaseTable>& tables,
                               const std::vector<std::string>& paths);

}  // namespace viaduct
