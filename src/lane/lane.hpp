#pragma once
// One path, live, as one rank sees it: its own end of a communicator, behind requests and replies.
// A worker process for the nccl engine, the rank's own MPI for the mpi engine, a script in tests.

#include "core/deadline.hpp"
#include "lane/messages.hpp"

#include <functional>
#include <string>

namespace viaduct {

/// Asked about ten times a second while a reply is awaited; true: another rank has lost this step,
/// stop waiting.
using Abandon = std::function<bool()>;

class Lane {
 public:
  virtual ~Lane() = default;

  [[nodiscard]] virtual const std::string& path() const = 0;

  /// Sends the request and returns at once. At most one request is under way. Throws Error(lost)
  /// when the lane is dead.
  virtual void start(const Request& request) = 0;

  /// Waits for the reply. Throws Error(lost) with the phase and what was seen: the signal or exit
  /// status of the worker, that the deadline passed, or that another rank abandoned the step. A
  /// Failure is returned, not thrown.
  virtual Reply finish(Deadline deadline, const Abandon& abandon) = 0;

  /// Ends this end of the lane at once; later calls throw Error(lost). Safe to call twice; never
  /// throws.
  virtual void kill() noexcept = 0;

  [[nodiscard]] virtual bool is_alive() const = 0;

  /// After kill(): whether what carried this end is gone by the deadline, and its GPU free of it.
  virtual bool wait_ended(Deadline /*deadline*/) { return true; }

  /// Whether log lines of the worker show a network transport so far (operations then carry a host
  /// callback in graphs).
  [[nodiscard]] virtual bool uses_network() const { return false; }
};

/// start + finish; throws Error of the failure's kind when the reply is a Failure.
Reply call(Lane& lane, const Request& request, Deadline deadline, const Abandon& abandon);

/// The reply as the type that was expected. Throws Error(kind of the failure) for a Failure,
/// Error(lost) for another type.
template <typename T>
const T& expect(const Reply& reply);

}  // namespace viaduct

#include "lane/expect.hpp"
