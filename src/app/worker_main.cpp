// viaduct-worker: CUDA and NCCL on one path, driven by its rank over one socket; on one GPU, or on
// all of the host for the copy engine. Never MPI.

#include "app/standard_streams.hpp"
#include "app/worker_engines.hpp"
#include "core/error.hpp"
#include "core/exit_code.hpp"
#include "worker/server.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <sys/stat.h>

namespace viaduct {
namespace {

/// Started by hand it has no socket, and would wait for a rank that does not exist.
void require_rank(int argc) {
  struct stat state {};

  const bool has_socket = fstat(control_descriptor, &state) == 0 && S_ISSOCK(state.st_mode);
  if (argc > 1 || !has_socket) {
    throw Error(ErrorKind::usage,
                "this program is started by viaduct-rank and takes no arguments; start `viaduct "
                "run` under mpirun or srun, or `viaduct launch -n N -- run`");
  }
}

int code_of(const std::exception& failure) {
  const auto* error = dynamic_cast<const Error*>(&failure);
  return static_cast<int>(error != nullptr ? exit_code(error->kind()) : ExitCode::internal);
}

}  // namespace
}  // namespace viaduct

int main(int argc, char** /*argv*/) {
  viaduct::keep_standard_streams();
  try {
    viaduct::require_rank(argc);
    viaduct::guard_against_orphaning(viaduct::control_descriptor);
    viaduct::WorkerEngines engine;
    return viaduct::serve(viaduct::control_descriptor, engine);
  } catch (const std::exception& failure) {
    fmt::print(stderr, "viaduct-worker: {}\n", failure.what());
    return viaduct::code_of(failure);
  }
}
