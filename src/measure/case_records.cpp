#include "measure/case_records.hpp"

#include <algorithm>
#include <optional>

namespace viaduct {

namespace {

/// A contradicted launch outweighs the others; what happened to GPUs in any of them stays.
void add_evidence(Measurement& record, const CaseResult& launch) {
  const bool is_contradicted =
      record.evidence && record.evidence->state == EvidenceState::contradicted;
  if (launch.evidence && !is_contradicted) {
    record.evidence = launch.evidence;
  }
  if (launch.algorithm) {
    record.algorithm = launch.algorithm;
  }
  if (!launch.health.empty()) {
    record.health += (record.health.empty() ? "" : "; ") + launch.health;
  }
}

/// Whether what was measured so far is worth a record when the run ends early.
bool has_content(const std::vector<CaseResult>& launches) {
  return std::any_of(launches.begin(), launches.end(), [](const CaseResult& launch) {
    return launch.has_samples() || launch.status != Status::ok;
  });
}

ExitCode code_of(const Measurement& record) {
  ExitCode code = ExitCode::ok;
  if (record.status == Status::lost) {
    code = graver(code, ExitCode::lost);
  }
  if (record.evidence && record.evidence->state == EvidenceState::contradicted) {
    code = graver(code, ExitCode::contradicted);
  }
  if (record.wrong.value_or(0) > 0) {
    code = graver(code, ExitCode::wrong_data);
  }
  return code;
}

}  // namespace

void CaseRecords::judge(
    const Case& c, const GroupMap& groups, std::size_t group, std::size_t path, CaseResult& found) {
  if (watch_ == nullptr || !found.has_samples() || !found.description) {
    return;
  }
  found.algorithm = watch_->algorithm(paths_[path], c, group);
  found.evidence = watch_->evidence({.path = paths_[path],
                                     .c = c,
                                     .size_bytes = found.description->size_bytes,
                                     .ranks = groups.size_of(group),
                                     .group = group,
                                     .sent = found.sent});
  found.health = watch_->health();
}

Measurement CaseRecords::make(const Case& c,
                              const GroupMap& groups,
                              std::size_t group,
                              const PathResults& results,
                              std::size_t path) const {
  const CaseDescription* other = nullptr;
  for (const auto& launches : results) {
    other = other != nullptr ? other : description_of(launches);
  }
  const RecordFrame frame{.ranks = groups.size_of(group),
                          .options = options_,
                          .group = groups.label(group),
                          .members = groups.groups()[group].ranks};
  Measurement record =
      make_measurement(frame, paths_[path], c, results[path], other != nullptr ? other : fallback_);
  for (const CaseResult& launch : results[path]) {
    add_evidence(record, launch);
  }
  return record;
}

ExitCode CaseRecords::write(const Case& c,
                            const GroupMap& groups,
                            std::size_t group,
                            const PathResults& results) {
  ExitCode code = ExitCode::ok;
  std::vector<Measurement> records;
  for (std::size_t path = 0; path < paths_.size(); ++path) {
    records.push_back(make(c, groups, group, results, path));
    code = graver(code, code_of(records.back()));
    observer_.on_measurement(records.back());
  }
  write_verdicts(records, results, group);
  return code;
}

void CaseRecords::write_unfinished(const Case& c,
                                   const GroupMap& groups,
                                   std::size_t group,
                                   const PathResults& results,
                                   const std::vector<std::size_t>& wanted) {
  for (std::size_t path = 0; path < paths_.size(); ++path) {
    const std::vector<CaseResult>& launches = results[path];
    if (!has_content(launches)) {
      continue;
    }
    Measurement record = make(c, groups, group, results, path);
    const bool was_ended = launches.size() == wanted[path] && !launches.back().stopped.empty();
    if (record.time_us && !was_ended) {
      record.stopped = "interrupted";
    }
    observer_.on_measurement(record);
  }
}

VerdictBasis CaseRecords::basis_of(std::size_t path, std::size_t group) const {
  const auto known = [this, group](const PathSpec& of) {
    return watch_ != nullptr ? watch_->path_evidence(of, group) : std::nullopt;
  };
  const PathSpec& reference = paths_[0];
  return verdict_basis(reference, known(reference), paths_[path], known(paths_[path]));
}

void CaseRecords::write_verdicts(const std::vector<Measurement>& records,
                                 const PathResults& results,
                                 std::size_t group) {
  for (std::size_t path = 1; path < records.size(); ++path) {
    if (records[0].time_us || records[path].time_us) {
      observer_.on_verdict(make_verdict(
          records[0], results[0], records[path], results[path], basis_of(path, group)));
    }
  }
}

}  // namespace viaduct
