#pragma once
// The worker's side: takes requests from the control socket and answers each by a handler. Leaves
// when its parent does.

#include "lane/messages.hpp"

namespace viaduct {

/// What a worker can do. Each throws Error; the server answers with a Failure of that kind.
class WorkerEngine {
 public:
  virtual ~WorkerEngine() = default;
  virtual HelloReply hello(const HelloRequest& request) = 0;
  virtual MakeIdReply make_id() = 0;
  virtual InitReply init(const InitRequest& request) = 0;
  virtual CaseDescription describe(const DescribeRequest& request) = 0;
  virtual OpenResult open(const OpenSpec& spec) = 0;
  virtual BatchResult batch(const BatchSpec& spec) = 0;
  virtual void close_case() = 0;
};

/// The descriptor on which a worker finds its control socket.
constexpr int control_descriptor = 3;

/// The descriptor of the memory that it shares with its rank, where there is some.
constexpr int shared_memory_descriptor = control_descriptor + 1;

/// Before anything else in main: PR_SET_PDEATHSIG and a check of the parent, INT/TERM/HUP ignored,
/// and a watchdog thread that leaves (status 0) on end-of-file of the socket. Throws Error(usage)
/// when the descriptor is no control socket (the program was started by hand), Error(lost) when the
/// parent has ended already.
void guard_against_orphaning(int descriptor);

/// Serves until Quit or end-of-file; returns the exit status: 0, or 1 after bytes that are no
/// request (the reason goes back as a Failure of kind lost, as far as the socket still takes it). A
/// Hello of another protocol version is answered by a Failure of kind refused.
int serve(int descriptor, WorkerEngine& engine);

}  // namespace viaduct
