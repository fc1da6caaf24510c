#include "app/rank_run.hpp"

#include "app/alike_paths.hpp"
#include "app/build_info.hpp"
#include "app/copy_watch.hpp"
#include "app/fold_paths.hpp"
#include "app/host_lane.hpp"
#include "app/launch_check.hpp"
#include "app/launch_groups.hpp"
#include "app/pairs_run.hpp"
#include "app/path_watch.hpp"
#include "app/rank_facts.hpp"
#include "app/result_sink.hpp"
#include "app/run_agreement.hpp"
#include "app/session_plan.hpp"
#include "app/terminal.hpp"
#include "app/topology_gather.hpp"
#include "app/worker_facts.hpp"
#include "app/worker_lanes.hpp"
#include "core/staged_path.hpp"
#include "measure/probe_pass.hpp"
#include "measure/session.hpp"
#include "mpi/mpi_lane.hpp"
#include "paths/environment.hpp"
#include "probe/binding.hpp"
#include "probe/host.hpp"
#include "probe/nearest_nic.hpp"
#include "report/binding_audit.hpp"
#include "report/end_counts.hpp"
#include "report/host_differences.hpp"
#include "report/text_table.hpp"
#include "staged/staged_lane.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <optional>
#include <unistd.h>

namespace viaduct {
namespace {

constexpr double agree_s = 60;  // small agreements between ranks
constexpr useconds_t others_wait_us = 3000000;
constexpr std::uint64_t lane_bytes = std::uint64_t{900}
                                     << 20;  // measured: a context and a communicator

/// One rank's whole run; the pieces that the steps share.
class RankRun {
 public:
  explicit RankRun(const RankSetting& setting)
      : setting_(setting),
        mpi_(setting.mpi),
        control_(setting.control),
        workers_(setting.inherited, setting.mpi.rank()) {}

  ~RankRun() { setting_.stop.disarm(); }

  RankRun(const RankRun&) = delete;
  RankRun& operator=(const RankRun&) = delete;

  int run();

 private:
  void check_launch();
  void start_manifest();
  void fold_alike_paths();
  void gather_manifest(const std::vector<InitReply>& replies);
  SessionPlan make_plan() const;
  std::unique_ptr<Lane> make_lane(const PathSpec& path);
  std::unique_ptr<Lane> make_host_lane(const PathSpec& path);
  std::string check_hello(const std::vector<HelloReply>& hellos);
  void probe(const SessionPlan& plan);
  ExitCode run_every_pair(const SessionHooks& hooks);
  ExitCode with_evidence_and_gates(ExitCode code);
  void arm_last_words();
  void finish(ExitCode code);
  void fail(const Error& error);

  /// Null: the engine has no evidence.
  [[nodiscard]] CaseWatch* case_watch() const {
    return watch_ ? static_cast<CaseWatch*>(watch_.get()) : copy_watch_.get();
  }

  [[nodiscard]] bool is_root() const { return control_.rank() == 0; }

  const RankSetting& setting_;
  MpiSession& mpi_;
  Control& control_;
  Agreed agreed_;
  std::vector<RankFacts> facts_;
  GroupMap groups_;
  LanesMode lanes_ = LanesMode::together;
  WorkerLanes workers_;
  std::unique_ptr<PathWatch> watch_;       ///< only of the nccl engine
  std::unique_ptr<CopyWatch> copy_watch_;  ///< only of the copy engine
  std::string worker_cpus_;
  std::unique_ptr<ResultSink> sink_;
  LoadedGates gates_;         ///< on rank 0
  std::string gates_reason_;  ///< why some gate fails
  Manifest manifest_;
  HelloReply hello_;
  std::vector<std::string> fold_notes_;
};

void RankRun::check_launch() {
  const RankPlace place{mpi_.rank(),
                        mpi_.local_rank(),
                        mpi_.local_size(),
                        mpi_.first_of_host(),
                        visible_devices(setting_.inherited)};
  const RankFacts own = read_rank_facts(place, setting_.gpus, setting_.inherited);
  for (const std::string& text : control_.all_gather(to_text(own), Deadline::after(agree_s))) {
    facts_.push_back(rank_facts_from_text(text));
  }
  if (const auto refusal = refusal_before_workers(facts_, agreed_.config, agreed_.engine)) {
    throw Error(ErrorKind::refused, *refusal);
  }
  groups_ = groups_of_launch(agreed_.config, agreed_.engine, sites_of(facts_));
  if (agreed_.engine == Engine::mpi) {
    expect_path_variables(control_, agreed_.paths[0]);
  }
  if (agreed_.engine == Engine::nccl) {
    fold_alike_paths();
  }
  const bool serial_needed = needs_serial_lanes(facts_, agreed_.paths.size(), lane_bytes);
  const LanesChoice choice = agreed_.config.lanes;
  lanes_ = choice == LanesChoice::serial || (choice == LanesChoice::automatic && serial_needed)
               ? LanesMode::serial
               : LanesMode::together;
}

/// Each rank looks at the environment that it inherited: hosts may differ.
void RankRun::fold_alike_paths() {
  WorkerSettings settings;
  settings.buffers = agreed_.config.buffers;
  settings.keeps_registration = agreed_.config.method == Method::nccl_tests;
  FoldedPaths folded = agree_on_alike_paths(
      control_,
      agreed_.paths,
      {.inherited = setting_.inherited, .settings = settings, .gpus = setting_.gpus});
  agreed_.paths = std::move(folded.run);
  fold_notes_ = std::move(folded.notes);
}

SessionPlan RankRun::make_plan() const {
  return make_session_plan(agreed_.config,
                           SessionFrame{agreed_.engine,
                                        agreed_.paths,
                                        groups_,
                                        spans_hosts(groups_, sites_of(facts_)),
                                        lanes_,
                                        most_gpus(facts_)});
}

std::unique_ptr<Lane> RankRun::make_host_lane(const PathSpec& path) {
  const auto under_way = std::make_shared<std::optional<Case>>();  // outlives lane and watcher
  const auto on_hang = [this, under_way, path](const std::string& what) {
    // The main thread hangs in MPI: from here on this thread speaks for the process.
    if (sink_) {
      if (*under_way) {
        for (const Measurement& lost :
             lost_measurements(**under_way, path, groups_, agreed_.config.method, what)) {
          sink_->on_measurement(lost);
        }
      }
      sink_->finish(End{"failed", static_cast<int>(ExitCode::lost), what});
      fmt::print(stderr, "viaduct: {}; partial result: {}\n", what, sink_->file());
    } else {
      // The launcher ends all ranks when the first leaves: rank 0 speaks before.
      usleep(others_wait_us);
    }
    _exit(static_cast<int>(ExitCode::lost));
  };
  const MpiPlace place{.local_size = mpi_.local_size()};
  auto lane = make_mpi_lane(path.name, MPI_COMM_WORLD, place, on_hang);
  std::string reason;
  if (path.name == "single-copy") {
    reason = why_no_single_copy(MPI_COMM_WORLD);
  }
  return std::make_unique<HostLane>(std::move(lane), reason, under_way);
}

std::unique_ptr<Lane> RankRun::make_lane(const PathSpec& path) {
  if (agreed_.engine == Engine::mpi) {
    return make_host_lane(path);
  }
  if (is_staged(path)) {
    return std::make_unique<StagedLane>(MPI_COMM_WORLD, [this, &path](int shared_memory) {
      return workers_.start_staged(path, agreed_.config, shared_memory);
    });
  }
  StartedWorker started = workers_.start(path, agreed_.config, false);
  if (watch_) {
    watch_->add_log(path.name, started.nccl_log);
  }
  return std::move(started.lane);
}

/// What NCCL chooses for each case, on lanes of their own: their logs cost time.
void RankRun::probe(const SessionPlan& plan) {
  if (!watch_ || !agreed_.config.probes_algorithms) {
    return;
  }
  SessionPlan probed = plan;
  probed.cases = cases_to_probe(plan.cases);
  // NCCL has no part in them, so there is nothing that it could choose.
  probed.paths.erase(std::remove_if(probed.paths.begin(), probed.paths.end(), is_staged),
                     probed.paths.end());
  if (probed.cases.empty() || probed.paths.empty()) {
    return;
  }
  SessionHooks hooks;
  hooks.place = WorkerPlace{mpi_.local_rank(), host_name()};
  hooks.make_lane = [this](const PathSpec& path) {
    StartedWorker started = workers_.start(path, agreed_.config, true);
    watch_->add_probe_log(path.name, started.nccl_log);
    return std::move(started.lane);
  };
  run_probe_pass(
      control_, probed, hooks, {.cpus = worker_cpus_, .after = [this, &probed](std::size_t number) {
                                  watch_->note_choices(probed.cases[number]);
                                }});
}

std::string RankRun::check_hello(const std::vector<HelloReply>& hellos) {
  hello_ = hellos.empty() ? HelloReply{} : hellos[0];
  if (agreed_.engine == Engine::mpi) {
    return "";
  }
  const auto workers = gather_worker_facts(
      control_, facts_[static_cast<std::size_t>(mpi_.rank())].info.host, hello_);
  if (const auto refusal = refusal_of_workers(workers)) {
    throw Error(ErrorKind::refused, *refusal);
  }
  if (watch_) {
    watch_->open_gpu(hello_.bus_id);
    watch_->set_nvlink(agree_on_nvlink(control_, setting_.gpus, facts_, workers));
  }
  const bool is_of_one_gpu = agreed_.engine == Engine::nccl;
  const Binding binding =
      worker_binding(agreed_.config.bind == "gpu" && is_of_one_gpu ? hello_.bus_id : "");
  RankInfo& info = facts_[static_cast<std::size_t>(mpi_.rank())].info;
  if (copy_watch_) {
    info.peer_access = peer_access_from_text(hello_.peer_access);
    copy_watch_->open_gpus(info.peer_access->bus_ids);
  }
  info.numa_node = binding.numa_node;
  info.node_cpus = binding.node_cpus;
  info.nearest_nic = is_of_one_gpu ? nearest_nics_text(read_nearest_nics(hello_.bus_id)) : "";
  info.gpu =
      GpuInfo{hello_.device, hello_.gpu_name, hello_.gpu_uuid, hello_.bus_id, hello_.total_bytes};
  worker_cpus_ = agreed_.config.bind == "launcher" ? "" : binding.cpus;
  return worker_cpus_;
}

/// What is known before any worker has started.
void RankRun::start_manifest() {
  manifest_.viaduct_version = version();
  manifest_.started_at = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  manifest_.command_line = {"viaduct", "run"};
  manifest_.command_line.insert(
      manifest_.command_line.end(), setting_.words.begin(), setting_.words.end());
  manifest_.plan = agreed_.config.plan_name;
  manifest_.engine = agreed_.engine;
  manifest_.ranks = control_.size();
  manifest_.group = groups_.kind();
  manifest_.lanes = lanes_ == LanesMode::serial ? "serial" : "together";
  manifest_.method = name(agreed_.config.method);
  manifest_.seed = agreed_.config.seed;
  manifest_.mpi_library = MpiSession::library();
  manifest_.paths = agreed_.paths;
  manifest_.warnings = launch_warnings(facts_, agreed_.engine);
  if (agreed_.engine == Engine::nccl) {
    const auto ignored = ignored_variables(setting_.inherited);
    manifest_.warnings.insert(manifest_.warnings.end(), ignored.begin(), ignored.end());
    manifest_.warnings.insert(manifest_.warnings.end(), fold_notes_.begin(), fold_notes_.end());
  }
}

void RankRun::gather_manifest(const std::vector<InitReply>& replies) {
  RankFacts& own = facts_[static_cast<std::size_t>(mpi_.rank())];
  own.info.worker_cpus =
      replies.empty() || agreed_.engine == Engine::mpi ? own.info.launcher_cpus : replies[0].cpus;
  const auto ranks = control_.gather(to_text(own), 0, Deadline::after(agree_s));
  const std::string host =
      mpi_.local_rank() == 0 ? to_text(read_host_info(setting_.gpus, setting_.inherited)) : "";
  const auto hosts = control_.gather(host, 0, Deadline::after(agree_s));
  if (!is_root()) {
    return;
  }
  for (const std::string& warning : topology_warnings(manifest_.topologies)) {
    manifest_.warnings.push_back(warning);
  }
  for (const std::string& text : ranks) {
    manifest_.rank_info.push_back(rank_facts_from_text(text).info);
  }
  for (const std::string& text : hosts) {
    if (!text.empty()) {
      manifest_.hosts.push_back(host_info_from_text(text));
    }
  }
  for (const std::string& warning : binding_warnings(manifest_)) {
    manifest_.warnings.push_back(warning);
  }
  manifest_.nccl_built = hello_.nccl_built;
  manifest_.nccl_running = hello_.nccl_running;
  manifest_.cuda_driver = hello_.cuda_driver;
  manifest_.cuda_runtime = hello_.cuda_runtime;
  manifest_.lanes_open_s =
      std::chrono::duration<double>(Deadline::Clock::now() - setting_.started).count();
  sink_->set_manifest(manifest_);
  sink_->write_manifest();
  for (const std::string& line : describe(host_differences(manifest_))) {
    sink_->on_warning(line);
  }
}

/// Writes what is known of each path and what the gates come to. A path that went another way than
/// it says is graver than a number, and a run in which nothing could run is not fine. Blocks leave
/// the latter to whoever joins them. Every rank gets the same code.
ExitCode RankRun::with_evidence_and_gates(ExitCode code) {
  CaseWatch* watch = case_watch();
  if (is_root() && watch != nullptr) {
    for (const PathSpec& path : agreed_.paths) {
      if (const auto evidence = watch->whole_evidence(path)) {
        sink_->on_evidence(*evidence);
        code = graver(code, exit_code(path, evidence->state, agreed_.config.requires_path));
      }
    }
  }
  if (is_root()) {
    const GatesOutcome outcome = judge_run(gates_, sink_->result());
    sink_->on_gates(outcome.verdicts);
    gates_reason_ = outcome.reason;
    code = graver(code, outcome.code);
  }
  if (is_root() && !is_block(setting_.words) && all_skipped(sink_->result().measurements)) {
    code = graver(code, ExitCode::usage);
  }
  const std::string agreed =
      control_.broadcast(std::to_string(static_cast<int>(code)), 0, Deadline::after(agree_s));
  return static_cast<ExitCode>(std::stoi(agreed));
}

void RankRun::arm_last_words() {
  setting_.stop.arm([this](const StopReason& reason) {
    if (sink_) {
      sink_->finish(End{"interrupted", reason.exit_code(), reason.text()});
      fmt::print(stderr, "viaduct: {}; partial result: {}\n", reason.text(), sink_->file());
    }
    if (workers_.folder() != nullptr) {
      workers_.folder()->remove();
    }
  });
  setting_.stop.set_deadline(
      agreed_.config.deadline_s,
      fmt::format("the deadline of the run (--deadline {}) passed", agreed_.config.deadline_s));
}

void RankRun::finish(ExitCode code) {
  const bool keeps_logs = code == ExitCode::lost && workers_.folder() != nullptr;
  if (keeps_logs) {
    workers_.folder()->keep();
  }
  if (!is_root()) {
    return;
  }
  sink_->finish(End{"complete", static_cast<int>(code), gates_reason_});
  if (is_block(setting_.words)) {
    return;
  }
  fmt::print("{}", text_table(sink_->result()));
  if (keeps_logs) {
    fmt::print("logs of the workers are kept in {} (on each host)\n", workers_.folder()->path());
  }
  fmt::print("result: {}\n", sink_->file());
  flush_output();
  if (all_skipped(sink_->result().measurements)) {
    fmt::print(stderr, "viaduct: {}\n", nothing_ran_text(sink_->result().measurements));
  }
}

/// The file says how the run ended, whatever the error was; a refused launch leaves none.
void RankRun::fail(const Error& error) {
  if (!is_root() || !sink_ || error.kind() == ErrorKind::refused) {
    return;
  }
  const bool interrupted = error.kind() == ErrorKind::interrupted;
  const StopReason reason = setting_.stop.reason();
  try {
    sink_->finish(interrupted
                      ? End{"interrupted", reason.exit_code(), reason.text()}
                      : End{"failed", static_cast<int>(exit_code(error.kind())), error.message()});
  } catch (const Error& second) {
    fmt::print(stderr, "viaduct: {}\n", second.message());
    return;
  }
  if (!is_block(setting_.words)) {
    const std::string why = interrupted ? reason.text() + "; " : "";
    fmt::print(stderr, "viaduct: {}partial result: {}\n", why, sink_->file());
  }
}

ExitCode RankRun::run_every_pair(const SessionHooks& hooks) {
  const PairsFrame frame{
      .engine = agreed_.engine, .paths = agreed_.paths, .sites = sites_of(facts_), .lanes = lanes_};
  // What hangs in a round is told with the pairs of that round.
  const auto regroup = [this](const GroupMap& groups) {
    groups_ = groups;
    if (watch_) {
      watch_->regroup(groups);
    }
  };
  return run_pairs(
      control_, agreed_.config, frame, hooks, is_root() ? sink_.get() : nullptr, regroup);
}

int RankRun::run() {
  agreed_ = agree_on_run(setting_, sink_, gates_);
  if (!agreed_.help.empty()) {
    if (is_root()) {
      fmt::print("{}", agreed_.help);
    }
    return 0;
  }
  check_launch();
  if (agreed_.engine != Engine::mpi) {
    // Before any path opens: nothing else of this process asks the driver meanwhile.
    manifest_.topologies = gather_topologies(control_, mpi_.local_rank() == 0, hosts_of(facts_));
  }
  const SessionPlan plan = agreed_.config.pairs ? SessionPlan{} : make_plan();
  if (is_root()) {
    start_manifest();
    sink_->set_manifest(manifest_);
  }
  arm_last_words();
  if (agreed_.engine == Engine::nccl) {
    watch_ = std::make_unique<PathWatch>(control_, agreed_.paths, hosts_of(facts_), groups_);
  }
  if (agreed_.engine == Engine::copy) {
    copy_watch_ =
        std::make_unique<CopyWatch>(control_, has_equal_gpus(facts_) ? most_gpus(facts_) : 0);
  }
  SessionHooks hooks;
  hooks.make_lane = [this](const PathSpec& path) { return make_lane(path); };
  hooks.check_hello = [this](const std::vector<HelloReply>& hellos) { return check_hello(hellos); };
  hooks.lanes_ready = [this, &plan](const std::vector<InitReply>& replies) {
    gather_manifest(replies);
    if (lanes_ == LanesMode::together && !agreed_.config.pairs) {
      probe(plan);
    }
  };
  hooks.place = WorkerPlace{mpi_.local_rank(), host_name()};

  SilentObserver nothing;
  try {
    Observer& observer = is_root() ? static_cast<Observer&>(*sink_) : nothing;
    if (watch_ && lanes_ == LanesMode::serial && !agreed_.config.pairs) {
      probe(plan);
    }
    hooks.watch = case_watch();
    const ExitCode code = with_evidence_and_gates(
        agreed_.config.pairs ? run_every_pair(hooks)
                             : run_session(control_, plan, hooks, observer));
    finish(code);
    return static_cast<int>(code);
  } catch (const Error& error) {
    fail(error);
    throw;
  }
}

}  // namespace

int run_rank(const RankSetting& setting) {
  return RankRun(setting).run();
}

}  // namespace viaduct
