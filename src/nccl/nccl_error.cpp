#include "nccl/nccl_error.hpp"

#include <dlfcn.h>

#include <fmt/format.h>

#include <string>

namespace viaduct {

namespace {

/// What NCCL adds to the result; empty when nothing, or when the library is older than 2.13.
std::string last_error() {
  using GetLastError = const char* (*)(ncclComm_t);
  const auto get = reinterpret_cast<GetLastError>(dlsym(RTLD_DEFAULT, "ncclGetLastError"));
  const char* text = get != nullptr ? get(nullptr) : nullptr;
  return text != nullptr ? text : "";
}

}  // namespace

Error nccl_error(ncclResult_t result, const char* call, Where where) {
  std::string message = fmt::format("{} failed: {}", call, ncclGetErrorString(result));
  const std::string detail = last_error();
  if (!detail.empty()) {
    message += fmt::format(" ({})", detail);
  }
  return Error(ErrorKind::nccl, message, where);
}

}  // namespace viaduct
