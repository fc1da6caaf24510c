#pragma once
// A worker engine without a GPU: plausible answers, and faults where the script has them.
// Reproduces what a real worker does to its rank: crash, hang, wrong data, torn and foreign bytes,
// an answer that is too long in coming.

#include "worker/server.hpp"
#include "worker_script.hpp"

#include <map>
#include <random>
#include <string>

namespace viaduct::test {

/// Read from the environment: SCRIPT_BASE_US (a time, or "all_reduce:12.5,sendrecv:7"),
/// SCRIPT_FACTOR (of this path), SCRIPT_NOISE (relative, per batch), SCRIPT_SEED, SCRIPT_GPUS,
/// SCRIPT_FREE_BYTES.
struct ScriptedTimes {
  std::map<std::string, double> base_us;  ///< key "" holds for operations not named
  double factor = 1;
  double noise = 0.01;
  std::uint64_t seed = 1;
  int gpus = 8;
  std::uint64_t free_bytes = std::uint64_t{64} << 30U;
};

ScriptedTimes times_from_environment();

class ScriptedEngine : public WorkerEngine {
 public:
  ScriptedEngine(WorkerScript script, ScriptedTimes times);

  HelloReply hello(const HelloRequest& request) override;
  MakeIdReply make_id() override;
  InitReply init(const InitRequest& request) override;
  CaseDescription describe(const DescribeRequest& request) override;
  OpenResult open(const OpenSpec& spec) override;
  BatchResult batch(const BatchSpec& spec) override;
  void close_case() override;

  /// What a real worker does after the last reply: it takes its communicator down.
  void end() { act("quit"); }

 private:
  /// What the answer itself must show; every other action has happened when act() returns.
  struct Spoiled {
    bool is_wrong = false;
    bool is_huge = false;
  };

  Spoiled act(const std::string& phase);
  void perform(const ScriptStep& step);
  double operation_us();

  WorkerScript script_;
  ScriptedTimes times_;
  std::mt19937_64 random_;
  std::map<std::string, int> occurrences_;
  int local_rank_ = 0;
  int ranks_ = 1;
  Case open_case_;
};

}  // namespace viaduct::test
