#pragma once
// The order of operations of a transport and its own clock: marks, waiting, graphs.

#include <cstddef>
#include <functional>
#include <memory>

namespace viaduct {

/// A recorded sequence of operations that is launched as one.
class Graph {
 public:
  virtual ~Graph() = default;
};

class Timeline {
 public:
  virtual ~Timeline() = default;

  /// Takes the time at this place in the order of operations. Slots are reused; `slots` in
  /// reserve() says how many.
  virtual void reserve(std::size_t slots) = 0;
  virtual void mark(std::size_t slot) = 0;

  /// Waits until all that was enqueued is done. Throws Error(nccl) when the communicator reports an
  /// error.
  virtual void synchronize() = 0;

  /// Microseconds between two marks; both must have been reached (after synchronize()).
  [[nodiscard]] virtual double elapsed_us(std::size_t from, std::size_t to) const = 0;

  [[nodiscard]] virtual bool has_graphs() const = 0;

  /// Runs `enqueue` once under capture. mark() inside becomes part of the graph. Throws
  /// Error(usage) without graphs.
  virtual std::unique_ptr<Graph> capture(const std::function<void()>& enqueue) = 0;
  virtual void launch(const Graph& graph) = 0;
};

}  // namespace viaduct
