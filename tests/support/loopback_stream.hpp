#pragma once
// The order of operations of one loopback rank: a logical clock, a trace of what was done, and
// capture.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace viaduct::loopback {

class Stream {
 public:
  using Work = std::function<void()>;

  /// Runs the work now, or keeps it while a capture is on. `name` goes into the trace when it runs.
  void submit(std::string name, double cost_us, Work work) {
    Work step = [this, name = std::move(name), cost_us, work = std::move(work)] {
      trace.push_back(name);
      now_us += cost_us;
      work();
    };
    if (is_capturing) {
      recorded.push_back(std::move(step));
    } else {
      step();
    }
  }

  std::vector<Work> capture(const std::function<void()>& enqueue) {
    is_capturing = true;
    recorded.clear();
    enqueue();
    is_capturing = false;
    return std::move(recorded);
  }

  double now_us = 0;
  std::vector<std::string> trace;
  bool is_capturing = false;
  std::vector<Work> recorded;
};

}  // namespace viaduct::loopback
