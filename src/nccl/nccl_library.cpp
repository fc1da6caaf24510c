#include "nccl/nccl_library.hpp"

#include "core/error.hpp"
#include "nccl/nccl_error.hpp"

#include <dlfcn.h>

#include <fmt/format.h>

namespace viaduct {

namespace {

constexpr int least_version = NCCL_VERSION(2, 18, 0);

/// Versions up to 2.8 were coded with three digits below the major number.
constexpr int first_long_version = 10000;

/// Leaves null in `function` when the library has no such call.
template <typename Function>
void look_up(Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

}  // namespace

int running_nccl_version() {
  int version = 0;
  check(ncclGetVersion(&version), "ncclGetVersion");
  return version;
}

std::string nccl_version_text(int version) {
  const int unit = version < first_long_version ? 1000 : 10000;
  return fmt::format("{}.{}.{}", version / unit, version % unit / 100, version % 100);
}

void require_nccl_version(int running) {
  if (running < least_version) {
    throw Error(ErrorKind::refused,
                fmt::format("NCCL {} is in use, and at least {} is needed: check LD_LIBRARY_PATH "
                            "and LD_PRELOAD",
                            nccl_version_text(running),
                            nccl_version_text(least_version)));
  }
}

NcclLibrary load_nccl_library() {
  NcclLibrary library;
  library.version = running_nccl_version();
  require_nccl_version(library.version);
  look_up(library.comm_init_rank_config, "ncclCommInitRankConfig");
  look_up(library.mem_alloc, "ncclMemAlloc");
  look_up(library.mem_free, "ncclMemFree");
  look_up(library.comm_register, "ncclCommRegister");
  look_up(library.comm_deregister, "ncclCommDeregister");
  look_up(library.window_register, "ncclCommWindowRegister");
  look_up(library.window_deregister, "ncclCommWindowDeregister");
  look_up(library.alltoall, "ncclAlltoAll");
  look_up(library.gather, "ncclGather");
  look_up(library.scatter, "ncclScatter");
  if (library.comm_init_rank_config == nullptr) {
    throw Error(ErrorKind::refused,
                fmt::format("the NCCL library in use says that it is {} but has no "
                            "ncclCommInitRankConfig",
                            nccl_version_text(library.version)));
  }
  return library;
}

}  // namespace viaduct
