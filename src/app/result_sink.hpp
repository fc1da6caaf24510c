#pragma once
// Takes what measuring hands over on rank 0: writes the result file, keeps the records for the
// table, shows progress. Safe to finish from another thread while the main thread hangs.

#include "app/run_limits.hpp"
#include "core/deadline.hpp"
#include "measure/observer.hpp"
#include "measure/one_way_index.hpp"
#include "report/result_reader.hpp"
#include "report/result_writer.hpp"

#include <memory>
#include <mutex>
#include <string>

namespace viaduct {

struct SinkOptions {
  std::string folder;
  std::string name;
  bool quiet = false;
  Deadline::Clock::time_point started;  ///< of the program: elapsed time counts from here
};

class ResultSink : public Observer {
 public:
  /// Throws Error(usage) when folder or file cannot be written.
  explicit ResultSink(const SinkOptions& options);

  /// Removes a file into which nothing was written.
  ~ResultSink() override;

  ResultSink(const ResultSink&) = delete;
  ResultSink& operator=(const ResultSink&) = delete;

  /// The manifest as far as it is known; written with the first record or by write_manifest(),
  /// from where on records get the limits that its topologies give.
  void set_manifest(const Manifest& manifest);
  void write_manifest();

  void on_measurement(const Measurement& measurement) override;
  void on_verdict(const Verdict& verdict) override;
  void on_evidence(const PathEvidence& evidence) override;
  void on_finding(const PairFinding& finding);
  void on_progress(const Progress& progress) override;
  /// Written before the end; none: nothing.
  void on_gates(const std::vector<GateVerdict>& gates);

  void on_warning(const std::string& text) override;

  /// Writes `end` once; later calls and later records do nothing. Counts and elapsed time are
  /// filled in.
  void finish(End end);

  [[nodiscard]] const Result& result() const { return result_; }

  [[nodiscard]] const std::string& file() const { return writer_.file(); }

 private:
  void ensure_manifest();
  void clear_progress();

  std::recursive_mutex mutex_;
  ResultWriter writer_;
  Result result_;
  OneWayIndex one_way_;
  std::unique_ptr<RunLimits> limits_;        ///< from the manifest, once it is written
  std::vector<std::string> early_warnings_;  ///< came before the manifest was written
  bool quiet_;
  bool manifest_written_ = false;
  bool finished_ = false;
  bool progress_shown_ = false;
  bool is_terminal_ = false;
  double last_progress_s_ = -1;
  Deadline::Clock::time_point started_;
};

}  // namespace viaduct
