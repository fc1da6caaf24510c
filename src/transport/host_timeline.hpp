#pragma once
// The timeline of a transport whose calls return when they are done: marks are readings of the
// steady clock.

#include "core/error.hpp"
#include "transport/timeline.hpp"

#include <chrono>
#include <vector>

namespace viaduct {

class HostTimeline : public Timeline {
 public:
  void reserve(std::size_t slots) override {
    if (slots > marks_.size()) {
      marks_.resize(slots);
    }
  }

  void mark(std::size_t slot) override { marks_[slot] = Clock::now(); }

  void synchronize() override {}

  [[nodiscard]] double elapsed_us(std::size_t from, std::size_t to) const override {
    return std::chrono::duration<double, std::micro>(marks_[to] - marks_[from]).count();
  }

  [[nodiscard]] bool has_graphs() const override { return false; }

  std::unique_ptr<Graph> capture(const std::function<void()>&) override { throw no_graphs(); }

  void launch(const Graph&) override { throw no_graphs(); }

 private:
  using Clock = std::chrono::steady_clock;

  static Error no_graphs() {
    return {ErrorKind::usage, "mode graph needs CUDA graphs; this engine has none"};
  }

  std::vector<Clock::time_point> marks_;
};

}  // namespace viaduct
