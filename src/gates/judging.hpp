#pragma once
// A result under judgement, with what its gates look up again and again.

#include "gates/baselines.hpp"
#include "gates/case_index.hpp"
#include "report/verdict_index.hpp"

#include <map>
#include <string>

namespace viaduct {

/// Points into the result and the baselines that it was made from.
struct Judging {
  Judging(const Result& result, const Baselines& others) : cases(result), verdicts(result) {
    for (const auto& [file, other] : others) {
      baselines.emplace(file, other);
    }
  }

  CaseIndex cases;
  VerdictIndex verdicts;
  std::map<std::string, CaseIndex> baselines;  ///< by the name of their file
};

}  // namespace viaduct
