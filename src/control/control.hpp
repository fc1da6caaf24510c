#pragma once
// Agreement between ranks on small data, apart from the transport under test. No call blocks
// without a deadline: each throws Error(lost) when the others do not come in time, and
// Error(interrupted) when a signal asked to stop. Every rank must make the same calls in the same
// order.

#include "core/deadline.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace viaduct {

class Control {
 public:
  virtual ~Control() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  virtual void barrier(Deadline deadline) = 0;

  /// The root's text on every rank.
  virtual std::string broadcast(const std::string& text, int root, Deadline deadline) = 0;

  /// Element-wise maximum over ranks; all give equally many values.
  virtual std::vector<double> max(const std::vector<double>& values, Deadline deadline) = 0;

  /// Element-wise sum over ranks.
  virtual std::vector<double> sum(const std::vector<double>& values, Deadline deadline) = 0;

  /// Texts of all ranks in rank order on `root`; empty elsewhere.
  virtual std::vector<std::string> gather(const std::string& text, int root, Deadline deadline) = 0;

  /// Texts of all ranks in rank order on every rank.
  virtual std::vector<std::string> all_gather(const std::string& text, Deadline deadline) = 0;

  /// Tells the other ranks that step `step` has failed here, without waiting for them. They see it
  /// in alarm_raised() with the same step number and stop waiting for their own worker. Alarms of
  /// past steps are dropped.
  virtual void raise_alarm(std::uint64_t step) = 0;
  virtual bool alarm_raised(std::uint64_t step) = 0;
};

}  // namespace viaduct
