#pragma once
// Where measuring hands over what it found. Measuring code never prints and never writes a file.

#include "core/evidence.hpp"
#include "core/record.hpp"

#include <cstddef>
#include <string>

namespace viaduct {

struct Progress {
  std::size_t done = 0;   ///< cases that have ended
  std::size_t cases = 0;  ///< cases in all (over all launches of the lanes)
  std::string now;        ///< the case under way
  double elapsed_s = 0;
  double expected_s = 0;  ///< estimate of the whole; 0: unknown yet
};

/// Called on rank 0 only.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_measurement(const Measurement& measurement) = 0;
  virtual void on_verdict(const Verdict& verdict) = 0;

  /// Once for each path, after the last measurement and before the end.
  virtual void on_evidence(const PathEvidence& /*evidence*/) {}

  virtual void on_progress(const Progress& progress) = 0;
  virtual void on_warning(const std::string& text) = 0;
};

/// Of the ranks that write nothing.
class SilentObserver : public Observer {
 public:
  void on_measurement(const Measurement& /*measurement*/) override {}

  void on_verdict(const Verdict& /*verdict*/) override {}

  void on_progress(const Progress& /*progress*/) override {}

  void on_warning(const std::string& /*text*/) override {}
};

}  // namespace viaduct
