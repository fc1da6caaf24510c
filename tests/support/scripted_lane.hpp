#pragma once
// A lane in this process whose times, faults and data follow a script. Answers at once: the times
// are made up, only waits for a lost peer are real. Each fault stands for one seen on clusters: a
// worker that dies, that hangs in a collective, whose peer died, that runs out of memory, whose
// data is wrong, whose library refuses the case.

#include "core/error.hpp"
#include "core/pattern.hpp"
#include "lane/lane.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace viaduct::testing {

/// At batch number `batch` of the lane (0 is the first, warm-up included) on rank `rank`.
struct BatchFault {
  int rank = 0;
  std::uint64_t batch = 0;
};

/// In a phase other than batch ("hello", "init", ...), on rank `rank`: a Failure of that kind.
struct PhaseFault {
  std::string phase;
  int rank = 0;
  ErrorKind kind = ErrorKind::nccl;
  std::string message = "scripted failure";
};

constexpr std::size_t never_well = ~std::size_t{0};

struct LaneScript {
  double base_us = 10;
  std::vector<double> launch_factor = {};  ///< of each launch of the lane; 1 beyond the end
  std::vector<double> rank_factor = {};    ///< of each rank; 1 beyond the end
  double noise = 0;                        ///< relative, evenly spread to both sides
  double drift = 0;                        ///< first batches take this much longer, relative, ...
  std::uint64_t drift_batches = 0;         ///< ... down to nothing after so many
  bool never_settles = false;              ///< every batch takes 5 % longer than the one before
  std::uint64_t outlier_every = 0;         ///< each so many-th batch takes ten times as long

  std::optional<BatchFault> crash = {};
  std::optional<BatchFault> hang = {};
  std::optional<BatchFault> wrong =
      {};  ///< from this batch on, each checked batch has 3 wrong elements
  std::optional<BatchFault> nonsense = {};  ///< no samples
  std::optional<PhaseFault> fails = {};
  std::optional<PhaseFault> fails_later = {};  ///< instead of `fails`, after the faulty launches
  std::optional<BatchFault> interrupts = {};   ///< calls `interrupt`, then goes on
  std::function<void()> interrupt = {};
  std::size_t faulty_launches = never_well;  ///< faults act in the first so many launches only
  bool hides_wall_time = false;
  bool cannot_start = false;  ///< on rank 0 the worker program is missing

  std::uint64_t fixed_bytes = 1000;
  std::uint64_t slot_bytes = 1000;
  std::uint64_t free_bytes = std::uint64_t{1} << 40;
  std::vector<std::uint64_t> rank_free_bytes = {};  ///< of each rank, instead of free_bytes
  std::string skip_reason = {};
  int skip_rank = 0;
  std::vector<std::uint64_t> rank_size_bytes = {};  ///< of each rank: the size after rounding
  std::vector<int> rank_group = {};  ///< of each rank: only one's own group waits for a lost peer
  bool is_pairwise = false;          ///< every case is one between two ranks, from its root
  std::optional<int> network_rank =
      {};  ///< this rank's log shows a network transport once a case is open
};

struct JournalEntry {
  int rank = 0;
  std::string path;
  Request request;
};

/// What the lanes of all ranks were asked for, in the order of the calls.
class Journal {
 public:
  void add(int rank, const std::string& path, const Request& request) {
    const std::lock_guard lock(mutex_);
    entries_.push_back({rank, path, request});
  }

  [[nodiscard]] std::vector<JournalEntry> of_rank(int rank) const {
    const std::lock_guard lock(mutex_);
    std::vector<JournalEntry> own;
    std::copy_if(entries_.begin(), entries_.end(), std::back_inserter(own), [rank](const auto& e) {
      return e.rank == rank;
    });
    return own;
  }

  /// Of the communicator that the rank has joined last on the path; -1: none of several.
  [[nodiscard]] int group_of(int rank, const std::string& path) const {
    const std::lock_guard lock(mutex_);
    int group = -1;
    for (const JournalEntry& entry : entries_) {
      const auto* init = std::get_if<InitRequest>(&entry.request);
      if (entry.rank == rank && entry.path == path && init != nullptr) {
        group = init->ranks == 0 ? -2 - rank : init->group;
      }
    }
    return group;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<JournalEntry> entries_;
};

class ScriptedLane : public Lane {
 public:
  ScriptedLane(
      std::string path, const LaneScript& script, int rank, std::size_t launch, Journal& journal)
      : path_(std::move(path)),
        script_(script),
        rank_(rank),
        launch_(launch),
        journal_(journal) {}

  [[nodiscard]] const std::string& path() const override { return path_; }

  void start(const Request& request) override {
    if (!alive_) {
      throw Error(ErrorKind::lost, "the lane is dead");
    }
    if (asked_) {
      throw Error(ErrorKind::internal, "two requests at once");
    }
    journal_.add(rank_, path_, request);
    asked_ = request;
  }

  Reply finish(Deadline deadline, const Abandon& abandon) override {
    if (!asked_) {
      throw Error(ErrorKind::internal, "finish without start");
    }
    const Request request = *std::exchange(asked_, std::nullopt);
    if (!alive_) {
      throw Error(ErrorKind::lost, "the lane is dead");
    }
    if (const auto& fault = is_faulty() ? script_.fails : script_.fails_later;
        fault && fault->phase == phase(request)) {
      return fail_in_phase(*fault, request, deadline, abandon);
    }
    return std::visit([&](const auto& r) { return answer(r, deadline, abandon); }, request);
  }

  void kill() noexcept override { alive_ = false; }

  [[nodiscard]] bool is_alive() const override { return alive_; }

  [[nodiscard]] bool uses_network() const override {
    return script_.network_rank == rank_ && has_opened_;
  }

 private:
  static double at(const std::vector<double>& factors, std::size_t index) {
    return index < factors.size() ? factors[index] : 1.0;
  }

  [[noreturn]] void hang(const char* in_phase, Deadline deadline, const Abandon& abandon) {
    while (!deadline.has_passed()) {
      if (abandon()) {
        alive_ = false;
        throw Error(ErrorKind::lost, std::string("given up by another rank in phase ") + in_phase);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    alive_ = false;
    throw Error(ErrorKind::lost, std::string("no answer in time in phase ") + in_phase);
  }

  Reply fail_in_phase(const PhaseFault& fault,
                      const Request& request,
                      Deadline deadline,
                      const Abandon& abandon) {
    if (rank_ == fault.rank) {
      return Failure{fault.kind, fault.message};
    }
    // The peers of a rank that fails in a collective wait for it.
    const bool is_collective = std::holds_alternative<InitRequest>(request) ||
                               std::holds_alternative<OpenRequest>(request) ||
                               std::holds_alternative<BatchRequest>(request);
    if (is_collective && is_peer(fault.rank)) {
      hang(phase(request), deadline, abandon);
    }
    return std::visit([&](const auto& r) { return answer(r, deadline, abandon); }, request);
  }

  Reply answer(const HelloRequest& request, Deadline, const Abandon&) {
    HelloReply reply;
    reply.pid = 1000 + rank_;
    reply.device = request.local_rank;
    reply.bus_id = "0000:17:00." + std::to_string(rank_);
    reply.nccl_running = 23004;
    return reply;
  }

  Reply answer(const MakeIdRequest&, Deadline, const Abandon&) {
    return MakeIdReply{"id-of-" + path_ + "-from-" + std::to_string(rank_)};
  }

  Reply answer(const InitRequest& request, Deadline, const Abandon&) {
    if (request.ranks > 0 && request.id.rfind("id-of-" + path_ + "-from-", 0) != 0) {
      return Failure{ErrorKind::nccl, "the id of another lane: " + request.id};
    }
    return InitReply{request.cpus, script_.free_bytes, 0.1};
  }

  Reply answer(const DescribeRequest& request, Deadline, const Abandon&) {
    CaseDescription description;
    description.size_bytes = request.c.size_bytes;
    if (const auto own = static_cast<std::size_t>(rank_); own < script_.rank_size_bytes.size()) {
      description.size_bytes = script_.rank_size_bytes[own];
    }
    description.count = description.size_bytes / 4;
    description.bus_factor = 1.5;
    description.fixed_bytes = script_.fixed_bytes;
    description.slot_bytes = script_.slot_bytes;
    description.free_bytes = script_.free_bytes;
    if (const auto own = static_cast<std::size_t>(rank_); own < script_.rank_free_bytes.size()) {
      description.free_bytes = script_.rank_free_bytes[own];
    }
    description.reduces = !script_.is_pairwise;
    description.is_pairwise = script_.is_pairwise;
    description.has_root = script_.is_pairwise;
    if (rank_ == script_.skip_rank) {
      description.skip_reason = script_.skip_reason;
    }
    return description;
  }

  Reply answer(const OpenRequest& request, Deadline, const Abandon&) {
    has_opened_ = true;
    mode_ = request.spec.c.mode;
    OpenResult result;
    if (request.spec.check) {
      result.wrong = 0;
    }
    result.first_operation_us = 2 * script_.base_us;
    result.allocator = "host";
    result.registration = "none";
    return result;
  }

  Reply answer(const BatchRequest& request, Deadline deadline, const Abandon& abandon) {
    const std::uint64_t batch = batches_++;
    if (script_.interrupts && script_.interrupts->batch == batch &&
        script_.interrupts->rank == rank_) {
      script_.interrupt();
    }
    if (is_faulty() && script_.crash && script_.crash->batch == batch &&
        is_peer(script_.crash->rank)) {
      crash(deadline, abandon);
    }
    if (is_faulty() && script_.hang && script_.hang->batch == batch) {
      hang("batch", deadline, abandon);
    }
    return make_result(request.spec, batch);
  }

  Reply answer(const CloseRequest&, Deadline, const Abandon&) { return Done{}; }

  Reply answer(const QuitRequest&, Deadline, const Abandon&) { return Done{}; }

  [[nodiscard]] bool is_faulty() const { return launch_ < script_.faulty_launches; }

  [[nodiscard]] bool is_peer(int rank) const {
    const auto& groups = script_.rank_group;
    if (groups.empty()) {
      return journal_.group_of(rank, path_) == journal_.group_of(rank_, path_);
    }
    return groups.at(static_cast<std::size_t>(rank)) == groups.at(static_cast<std::size_t>(rank_));
  }

  [[noreturn]] void crash(Deadline deadline, const Abandon& abandon) {
    if (rank_ != script_.crash->rank) {
      hang("batch", deadline, abandon);
    }
    alive_ = false;
    throw Error(ErrorKind::lost, "worker ended with signal 6 (Aborted) in phase batch");
  }

  BatchResult make_result(const BatchSpec& spec, std::uint64_t batch) {
    BatchResult result;
    const std::uint64_t samples = mode_ == Mode::each ? spec.operations : 1;
    for (std::uint64_t i = 0; i < samples; ++i) {
      result.samples_us.push_back(time_us(batch, i));
    }
    if (script_.nonsense && script_.nonsense->batch == batch && script_.nonsense->rank == rank_) {
      result.samples_us.clear();
    }
    const auto operations = static_cast<double>(spec.operations * spec.replays);
    result.wall_us = script_.hides_wall_time ? 0 : operations * time_us(batch, 0);
    if (spec.checked) {
      result.wrong = 0;
      result.checked = "timed";
      result.checked_operations = spec.operations;
      if (script_.wrong && rank_ == script_.wrong->rank && batch >= script_.wrong->batch) {
        result.wrong = 3;
      }
    }
    return result;
  }

  [[nodiscard]] double time_us(std::uint64_t batch, std::uint64_t sample) const {
    double time = script_.base_us * at(script_.launch_factor, launch_) *
                  at(script_.rank_factor, static_cast<std::size_t>(rank_));
    if (batch < script_.drift_batches) {
      const auto left = static_cast<double>(script_.drift_batches - batch);
      time *= 1 + script_.drift * left / static_cast<double>(script_.drift_batches);
    }
    if (script_.never_settles) {
      time *= 1 + 0.05 * static_cast<double>(batch);
    }
    if (script_.outlier_every != 0 && batch % script_.outlier_every == script_.outlier_every - 1) {
      time *= 10;
    }
    const std::uint64_t word =
        mix(launch_, static_cast<std::uint64_t>(rank_), 1000 * batch + sample);
    const double even = static_cast<double>(word >> 11U) * 0x1.0p-53;  // 0 to 1
    return time * (1 + script_.noise * (2 * even - 1));
  }

  std::string path_;
  const LaneScript& script_;
  int rank_;
  std::size_t launch_;
  Journal& journal_;
  std::optional<Request> asked_;
  Mode mode_ = Mode::stream;
  std::uint64_t batches_ = 0;
  bool alive_ = true;
  bool has_opened_ = false;
};

}  // namespace viaduct::testing
