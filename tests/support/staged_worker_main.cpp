// A double of viaduct-worker. On a staged path everything is real but the GPU: plain memory is
// behind the copies. The variable FAULT says what goes wrong in its batches: "" nothing, "die",
// "stall" (never answers), "fail" (answers with an error in the middle of an operation), "nonsense"
// (asks for a task that makes no sense). On other paths it is the scripted worker.

#include "core/staged_path.hpp"
#include "scripted_engine.hpp"
#include "staging/staged_cases.hpp"
#include "support/loopback_copies.hpp"
#include "support/loopback_device.hpp"
#include "worker/server.hpp"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <unistd.h>

namespace viaduct::test {

namespace {

constexpr std::uint64_t memory_bytes = std::uint64_t{2} << 30U;

/// Leaves the cores to ranks, of which there may be more than cores.
class PatientCopies : public loopback::Copies {
 public:
  PatientCopies() : Copies([] {}) {}

  void pause(std::uint64_t waits) override {
    constexpr std::uint64_t busy_waits = 100;
    constexpr std::chrono::microseconds nap{50};
    if (waits < busy_waits) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(nap);
    }
  }
};

/// One lane's worth of parts.
struct Joined {
  explicit Joined(const InitRequest& request)
      : block(staging::SharedBlock::attach(shared_memory_descriptor)),
        memory(stream),
        cases(block, copies, memory, {.rank = request.rank, .ranks = request.ranks}) {
    memory.free = memory_bytes;
    block.take_pages();
  }

  staging::SharedBlock block;
  loopback::Stream stream;
  PatientCopies copies;
  loopback::Memory memory;
  staging::StagedCases cases;
};

class LoopbackEngine : public WorkerEngine {
 public:
  HelloReply hello(const HelloRequest& request) override { return gpu_.hello(request); }

  MakeIdReply make_id() override { return {}; }

  InitReply init(const InitRequest& request) override {
    joined_.reset();
    if (request.ranks > 0) {
      joined_ = std::make_unique<Joined>(request);
    }
    InitReply reply;
    reply.cpus = "0";
    reply.free_bytes = memory_bytes;
    return reply;
  }

  CaseDescription describe(const DescribeRequest& request) override {
    return joined().cases.describe(request.c, request.buffers, request.method);
  }

  OpenResult open(const OpenSpec& spec) override { return joined().cases.open(spec); }

  BatchResult batch(const BatchSpec& spec) override {
    joined().stream.trace.clear();
    misbehave();
    return joined().cases.batch(spec);
  }

  void close_case() override { joined().cases.close(); }

 private:
  Joined& joined() {
    if (!joined_) {
      throw Error(ErrorKind::usage, "a case without a group of ranks");
    }
    return *joined_;
  }

  void misbehave() {
    const char* variable = std::getenv("FAULT");
    const std::string fault = variable == nullptr ? "" : variable;
    if (fault == "die") {
      ::raise(SIGKILL);
    } else if (fault == "stall") {
      ::pause();
    } else if (fault == "fail") {
      submit(staging::TaskKind::receive);
      // Until the rank has taken it, so that its MPI is under way.
      ::usleep(100'000);
      throw Error(ErrorKind::usage, "the copy of chunk 3 failed");
    } else if (fault == "nonsense") {
      submit(static_cast<staging::TaskKind>(99));
      ::pause();
    }
  }

  /// Past the writer of the transport, which is not used any more.
  void submit(staging::TaskKind kind) {
    staging::SharedHead& head = joined_->block.head();
    const std::uint64_t number = head.submitted.value.load();
    head.tasks[number % staging::ring_length] = staging::Task{.kind = kind};
    head.submitted.value.store(number + 1);
  }

  ScriptedEngine gpu_{WorkerScript{}, times_from_environment()};
  std::unique_ptr<Joined> joined_;
};

std::unique_ptr<WorkerEngine> engine_of_path() {
  const char* word = std::getenv(transport_variable);
  if (word != nullptr && word == staged_transport_word) {
    return std::make_unique<LoopbackEngine>();
  }
  const char* script = std::getenv("SCRIPT");
  return std::make_unique<ScriptedEngine>(parse_script(script == nullptr ? "ok" : script),
                                          times_from_environment());
}

}  // namespace

}  // namespace viaduct::test

int main() {
  try {
    viaduct::guard_against_orphaning(viaduct::control_descriptor);
    const auto engine = viaduct::test::engine_of_path();
    return viaduct::serve(viaduct::control_descriptor, *engine);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "staged_worker: %s\n", error.what());
    return 1;
  }
}
