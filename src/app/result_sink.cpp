#include "app/result_sink.hpp"

#include "report/end_counts.hpp"
#include "report/progress_line.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <unistd.h>

namespace viaduct {
namespace {

constexpr double progress_every_s = 5;  // without a terminal, so that a log does not fill up

}  // namespace

ResultSink::ResultSink(const SinkOptions& options)
    : writer_(options.folder, options.name),
      quiet_(options.quiet),
      is_terminal_(isatty(STDERR_FILENO) == 1),
      started_(options.started) {
  result_.file = writer_.file();
}

ResultSink::~ResultSink() {
  if (!manifest_written_) {
    std::error_code ignored;
    std::filesystem::remove(writer_.file(), ignored);
  }
}

void ResultSink::set_manifest(const Manifest& manifest) {
  const std::lock_guard lock(mutex_);
  result_.manifest = manifest;
  result_.manifest.warnings.insert(
      result_.manifest.warnings.end(), early_warnings_.begin(), early_warnings_.end());
}

void ResultSink::write_manifest() {
  const std::lock_guard lock(mutex_);
  ensure_manifest();
}

void ResultSink::ensure_manifest() {
  if (!manifest_written_) {
    writer_.write(result_.manifest);
    limits_ = std::make_unique<RunLimits>(result_.manifest);
    manifest_written_ = true;
  }
}

void ResultSink::on_measurement(const Measurement& measurement) {
  const std::lock_guard lock(mutex_);
  if (finished_) {
    return;
  }
  ensure_manifest();
  Measurement record = measurement;
  one_way_.add(record);
  record.one_way_ratio = one_way_.ratio(record);
  // On the copy engine they are GPUs.
  if (record.from && record.to && record.engine != Engine::copy) {
    record.pair_class = limits_->pair_class_of(*record.from, *record.to);
  }
  limits_->fill(record);
  writer_.write(record);
  result_.measurements.push_back(std::move(record));
}

void ResultSink::on_verdict(const Verdict& verdict) {
  const std::lock_guard lock(mutex_);
  if (finished_) {
    return;
  }
  ensure_manifest();
  writer_.write(verdict);
  result_.verdicts.push_back(verdict);
}

void ResultSink::on_evidence(const PathEvidence& evidence) {
  const std::lock_guard lock(mutex_);
  if (finished_) {
    return;
  }
  ensure_manifest();
  writer_.write(evidence);
  result_.evidences.push_back(evidence);
}

void ResultSink::on_gates(const std::vector<GateVerdict>& gates) {
  const std::lock_guard lock(mutex_);
  if (finished_) {
    return;
  }
  ensure_manifest();
  for (const GateVerdict& gate : gates) {
    writer_.write(gate);
  }
  result_.gates = gates;
}

void ResultSink::on_finding(const PairFinding& finding) {
  const std::lock_guard lock(mutex_);
  if (finished_) {
    return;
  }
  ensure_manifest();
  writer_.write(finding);
  result_.findings.push_back(finding);
}

void ResultSink::on_progress(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  const bool due = is_terminal_ || last_progress_s_ < 0 ||
                   progress.elapsed_s - last_progress_s_ >= progress_every_s;
  if (quiet_ || finished_ || !due) {
    return;
  }
  last_progress_s_ = progress.elapsed_s;
  const std::string line = progress_line(
      progress.done, progress.cases, progress.elapsed_s, progress.expected_s, progress.now);
  fmt::print(stderr, "{}{}{}", is_terminal_ ? "\r\033[K" : "", line, is_terminal_ ? "" : "\n");
  std::fflush(stderr);
  progress_shown_ = is_terminal_;
}

void ResultSink::on_warning(const std::string& text) {
  const std::lock_guard lock(mutex_);
  clear_progress();
  if (!manifest_written_) {
    early_warnings_.push_back(text);
    result_.manifest.warnings.push_back(text);
  }
  if (!quiet_) {
    fmt::print(stderr, "viaduct: warning: {}\n", text);
  }
}

void ResultSink::finish(End end) {
  const std::lock_guard lock(mutex_);
  if (finished_) {
    return;
  }
  clear_progress();
  ensure_manifest();
  finished_ = true;
  end.elapsed_s = std::chrono::duration<double>(Deadline::Clock::now() - started_).count();
  end = with_counts(std::move(end), result_.measurements);
  writer_.write(end);
  result_.end = end;
}

void ResultSink::clear_progress() {
  if (progress_shown_) {
    fmt::print(stderr, "\r\033[K");
    progress_shown_ = false;
  }
}

}  // namespace viaduct
