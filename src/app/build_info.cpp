#include "app/build_info.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <unistd.h>

namespace viaduct {

bool has_mpi() {
  return VIADUCT_HAS_MPI != 0;
}

bool has_nccl() {
  return VIADUCT_HAS_CUDA != 0;
}

std::string version_line() {
  return fmt::format("viaduct {} (engines: {}{})",
                     version(),
                     has_mpi() ? "mpi" : "none",
                     has_nccl() && has_mpi() ? ", nccl, copy" : "");
}

std::string sibling_program(const std::string& name) {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  const std::filesystem::path program = self.parent_path() / name;
  if (access(program.c_str(), X_OK) != 0) {
    const bool is_worker = name == "viaduct-worker";
    const bool was_built = is_worker ? has_nccl() : has_mpi();
    const std::string needs = is_worker ? "CUDA and NCCL" : "MPI";
    throw Error(ErrorKind::usage,
                fmt::format("{} is not in {}, beside {}: {}",
                            name,
                            self.parent_path().string(),
                            self.filename().string(),
                            was_built ? "the installation is incomplete"
                                      : "this build was made without " + needs));
  }
  return program.string();
}

}  // namespace viaduct
