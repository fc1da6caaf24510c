#include "gates/case_index.hpp"

namespace viaduct {

CaseIndex::CaseIndex(const Result& result) {
  for (const Measurement& m : result.measurements) {
    cases_[key_of(m, m.path)].push_back(&m);
  }
}

CaseIndex::Key CaseIndex::key_of(const Measurement& m, const std::string& path) {
  return {path,
          m.engine,
          m.c.operation,
          m.c.size_bytes,
          m.c.datatype,
          m.reduces ? std::optional(m.c.reduction) : std::nullopt,
          m.has_root ? std::optional(m.c.root) : std::nullopt,
          m.c.placement,
          m.c.mode,
          m.c.traffic.name,
          m.ranks,
          m.group ? m.group->index : -1,
          m.from,
          m.to,
          m.c.ends};
}

const std::vector<const Measurement*>& CaseIndex::find(const Measurement& same_case,
                                                       const std::string& path) const {
  const auto found = cases_.find(key_of(same_case, path));
  return found == cases_.end() ? none_ : found->second;
}

}  // namespace viaduct
