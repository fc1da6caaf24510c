#pragma once
// Control of a run with one process: every agreement is with itself.

#include "control/control.hpp"

namespace viaduct {

class SingleRank : public Control {
 public:
  [[nodiscard]] int rank() const override { return 0; }

  [[nodiscard]] int size() const override { return 1; }

  void barrier(Deadline) override {}

  std::string broadcast(const std::string& text, int, Deadline) override { return text; }

  std::vector<double> max(const std::vector<double>& values, Deadline) override { return values; }

  std::vector<double> sum(const std::vector<double>& values, Deadline) override { return values; }

  std::vector<std::string> gather(const std::string& text, int, Deadline) override {
    return {text};
  }

  std::vector<std::string> all_gather(const std::string& text, Deadline) override { return {text}; }

  void raise_alarm(std::uint64_t) override {}

  bool alarm_raised(std::uint64_t) override { return false; }
};

}  // namespace viaduct
