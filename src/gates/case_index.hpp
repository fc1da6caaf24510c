#pragma once
// Finds the measurements of one case without looking through all of them.

#include "report/result_reader.hpp"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace viaduct {

/// Points into the result that it was made from. A case here is operation, size, datatype,
/// reduction, root, placement, mode, traffic, ranks, group and ranks of a pair, on one engine;
/// method and buffers are not part of it.
class CaseIndex {
 public:
  explicit CaseIndex(const Result& result);

  /// In the order of the result; empty: none.
  [[nodiscard]] const std::vector<const Measurement*>& find(const Measurement& same_case,
                                                            const std::string& path) const;

 private:
  using Key = std::tuple<std::string,
                         Engine,
                         std::string,
                         std::uint64_t,
                         Datatype,
                         std::optional<ReduceOp>,
                         std::optional<int>,
                         Placement,
                         Mode,
                         std::string,
                         int,
                         int,
                         std::optional<int>,
                         std::optional<int>,
                         CopyEnds>;

  static Key key_of(const Measurement& m, const std::string& path);

  std::map<Key, std::vector<const Measurement*>> cases_;
  std::vector<const Measurement*> none_;
};

}  // namespace viaduct
