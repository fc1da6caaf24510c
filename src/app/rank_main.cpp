// viaduct-rank: one process per GPU under mpirun or srun. MPI, NVML and hwloc live here; CUDA and
// NCCL never do.

#include "app/mpi_settings.hpp"
#include "app/rank_facts.hpp"
#include "app/rank_run.hpp"
#include "app/same_words.hpp"
#include "app/standard_streams.hpp"
#include "app/stop_watch.hpp"
#include "app/terminal.hpp"
#include "core/exit_code.hpp"
#include "mpi/mpi_control.hpp"
#include "mpi/mpi_session.hpp"
#include "paths/environment.hpp"
#include "probe/cpu_mask.hpp"
#include "probe/gpus.hpp"
#include "probe/host.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <vector>

namespace viaduct {
namespace {

constexpr double start_limit_s = 60;
constexpr double finalize_limit_s = 30;
/// For rank 0 to write and say how the run ended, before the launcher sees the first process leave:
/// launchers kill the rest then, and Open MPI itself may crash when a peer's connection breaks.
constexpr useconds_t others_wait_us = 1000000;

/// MPI must not touch the GPUs: it sees none. The environment that was there is returned: the
/// workers get its value.
Environment hide_gpus() {
  Environment inherited = current_environment();
  setenv("CUDA_VISIBLE_DEVICES", "", 1);
  return inherited;
}

/// The mpi engine's path is read by MPI_Init. Under a plain mpirun the words say which: its
/// variables are set here, before. Wrong words are reported later, once, by rank 0.
void apply_path_before_mpi(const std::vector<std::string>& words,
                           const Environment& inherited,
                           bool gpu_is_visible) {
  try {
    std::string help;
    const RunConfig config = read_config(words, &help);
    const Engine engine = resolve_engine(config, gpu_is_visible);
    const int cpus = static_cast<int>(allowed_cpus().size());
    for (const auto& [variable, value] : settings_before_mpi(inherited, engine, cpus)) {
      setenv(variable.c_str(), value.c_str(), 1);
    }
    if (!help.empty() || engine != Engine::mpi) {
      return;
    }
    const std::vector<PathSpec> paths = resolve_paths(config, engine);
    if (paths.size() != 1) {
      return;
    }
    for (const auto& [variable, value] : paths[0].set) {
      setenv(variable.c_str(), value.c_str(), 1);
    }
    for (const std::string& variable : paths[0].unset) {
      unsetenv(variable.c_str());
    }
  } catch (const Error&) {
    return;
  }
}

/// Errors that every rank has alike leave through MPI_Finalize; one rank's own error must end the
/// others too.
bool is_agreed(ErrorKind kind) {
  return kind == ErrorKind::usage || kind == ErrorKind::refused;
}

int leave_after_error(const Error& error, int rank) {
  if (!is_agreed(error.kind()) || rank == 0) {
    const std::string who =
        is_agreed(error.kind()) ? "" : fmt::format("rank {} on host {}: ", rank, host_name());
    fmt::print(stderr, "viaduct: {}{}\n", who, error_line(error.message()));
    std::fflush(stderr);
  }
  const int code = static_cast<int>(exit_code(error.kind()));
  if (error.kind() == ErrorKind::lost && rank != 0) {
    usleep(others_wait_us);
  }
  if (!is_agreed(error.kind())) {
    MPI_Abort(MPI_COMM_WORLD, code);
  }
  return code;
}

int run(int argc, char** argv) {
  const auto started = Deadline::Clock::now();
  StopWatch stop;
  const Environment inherited = hide_gpus();
  NvmlReport gpus = read_gpus();
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (const auto complaint = complain_of_other_words(inherited, words)) {
    // The launcher ends the ranks that wait in MPI_Init already.
    if (!complaint->empty()) {
      fmt::print(stderr, "viaduct: {}\n", error_line(*complaint));
    }
    stop.release();
    return static_cast<int>(ExitCode::refused);
  }
  apply_path_before_mpi(words, inherited, visible_gpus(gpus, visible_devices(inherited)) > 0);
  // MPI_Init waits for every rank, and has no deadline of its own.
  stop.set_deadline(
      start_limit_s,
      fmt::format("MPI_Init and the first agreement did not end within {} s on host {}: "
                  "another rank hangs or never came",
                  start_limit_s,
                  host_name()));

  MpiSession mpi(argc, argv, pause_after_init_s(inherited));
  forget_words(inherited);
  int code = 0;
  try {
    const auto control = make_mpi_control(MPI_COMM_WORLD, [&stop] { return stop.stop_signal(); });
    code = run_rank(RankSetting{mpi, *control, stop, inherited, std::move(gpus), words, started});
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted || stop.stop_signal() != 0) {
      // The launcher ends the others; a finalize here could wait for them for ever.
      std::fflush(nullptr);
      const int interrupted_code = stop.reason().exit_code();
      const bool waits = mpi.rank() != 0;
      stop.release();
      if (waits) {
        usleep(others_wait_us);
      }
      _exit(interrupted_code);
    }
    code = leave_after_error(error, mpi.rank());
  }
  const double since_start =
      std::chrono::duration<double>(Deadline::Clock::now() - started).count();
  stop.set_deadline(since_start + finalize_limit_s,
                    fmt::format("MPI_Finalize did not end within {} s", finalize_limit_s));
  mpi.finalize();
  stop.release();
  return code;
}

}  // namespace
}  // namespace viaduct

int main(int argc, char** argv) {
  viaduct::keep_standard_streams();
  try {
    return viaduct::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "viaduct-rank: {}\n", error.what());
    return static_cast<int>(viaduct::ExitCode::internal);
  }
}
