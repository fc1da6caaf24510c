#pragma once
// Finds the verdict on a measurement without looking through all of them.

#include "report/result_reader.hpp"

#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace viaduct {

/// Points into the result that it was made from.
class VerdictIndex {
 public:
  explicit VerdictIndex(const Result& result);

  /// The verdict on this measurement against the reference; nullptr: none.
  [[nodiscard]] const Verdict* find(const Measurement& measurement) const;

 private:
  /// What a measurement and its verdict have in common; the integer behind the ranks is the index
  /// of the group, or -1.
  using Key = std::tuple<std::string,
                         Engine,
                         std::string,
                         std::uint64_t,
                         Datatype,
                         ReduceOp,
                         int,
                         Placement,
                         Mode,
                         std::string,
                         Method,
                         int,
                         int,
                         CopyEnds,
                         int,
                         std::optional<int>,
                         std::optional<int>>;

  template <typename Record>
  static Key key_of(const Record& record);

  std::map<Key, const Verdict*> verdicts_;
};

}  // namespace viaduct
