#include "report/verdict_index.hpp"

namespace viaduct {

template <typename Record>
VerdictIndex::Key VerdictIndex::key_of(const Record& r) {
  return {r.path,
          r.engine,
          r.c.operation,
          r.c.size_bytes,
          r.c.datatype,
          r.c.reduction,
          r.c.root,
          r.c.placement,
          r.c.mode,
          r.c.traffic.name,
          r.method,
          r.ranks,
          r.group ? r.group->index : -1,
          r.c.ends,
          r.c.window,
          r.from,
          r.to};
}

VerdictIndex::VerdictIndex(const Result& result) {
  for (const Verdict& verdict : result.verdicts) {
    verdicts_.emplace(key_of(verdict), &verdict);
  }
}

const Verdict* VerdictIndex::find(const Measurement& measurement) const {
  if (verdicts_.empty()) {
    return nullptr;
  }
  const auto found = verdicts_.find(key_of(measurement));
  return found == verdicts_.end() ? nullptr : found->second;
}

}  // namespace viaduct
