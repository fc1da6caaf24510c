#pragma once
// What the lanes found for a case, judged and handed to the observer as records and verdicts. Runs
// on rank 0 only; opens no lane and agrees on nothing.

#include "core/exit_code.hpp"
#include "core/group_map.hpp"
#include "measure/case_result.hpp"
#include "measure/case_watch.hpp"
#include "measure/observer.hpp"
#include "measure/options.hpp"
#include "measure/path_verdict.hpp"
#include "measure/record_maker.hpp"

#include <cstddef>
#include <vector>

namespace viaduct {

/// What all launches of the lanes have found for one case in one group: one list of launches for
/// each path.
using PathResults = std::vector<std::vector<CaseResult>>;

class CaseRecords {
 public:
  /// All outlive it; `watch` may be null.
  CaseRecords(const std::vector<PathSpec>& paths,
              const MeasureOptions& options,
              CaseWatch* watch,
              Observer& observer)
      : paths_(paths),
        options_(options),
        watch_(watch),
        observer_(observer) {}

  /// Of a description that is used where no lane could describe the case; may be null.
  void set_fallback(const CaseDescription* description) { fallback_ = description; }

  /// Evidence, algorithm and health of one lane's result in a group.
  void judge(const Case& c,
             const GroupMap& groups,
             std::size_t group,
             std::size_t path,
             CaseResult& found);

  /// `path` must have one launch at least.
  [[nodiscard]] Measurement make(const Case& c,
                                 const GroupMap& groups,
                                 std::size_t group,
                                 const PathResults& results,
                                 std::size_t path) const;

  /// Records of all paths, and the verdicts on them. Returns the gravest of what they say.
  ExitCode write(const Case& c,
                 const GroupMap& groups,
                 std::size_t group,
                 const PathResults& results);

  /// What was found of a case that did not come to its end; `wanted`: launches of each path that
  /// would have made it whole.
  void write_unfinished(const Case& c,
                        const GroupMap& groups,
                        std::size_t group,
                        const PathResults& results,
                        const std::vector<std::size_t>& wanted);

 private:
  void write_verdicts(const std::vector<Measurement>& records,
                      const PathResults& results,
                      std::size_t group);
  [[nodiscard]] VerdictBasis basis_of(std::size_t path, std::size_t group) const;

  const std::vector<PathSpec>& paths_;
  const MeasureOptions& options_;
  CaseWatch* watch_;
  Observer& observer_;
  const CaseDescription* fallback_ = nullptr;
};

}  // namespace viaduct
