#include "nccl/registering_allocator.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <string_view>

namespace viaduct {

namespace {

/// NCCL_WIN_COLL_SYMMETRIC, which headers before 2.27 do not have.
constexpr int symmetric_flag = 0x01;

struct Ban {
  const char* variable;
  std::string_view value;
  const char* why;
};

/// What a symmetric window needs of its process. NCCL leaves the window away without a word, or
/// registers locally instead.
constexpr std::array bans{
    Ban{"NCCL_WIN_ENABLE", "0", "turns windows off"},
    Ban{"NCCL_P2P_DISABLE", "1", "turns off the peer access that a window needs"},
    Ban{"NCCL_CUMEM_ENABLE", "0", "turns off the memory that a window is made of"},
    Ban{"NCCL_LOCAL_REGISTER", "0", "turns registration off"},
};

std::string banned_by_environment(Registration kind) {
  for (const Ban& ban : bans) {
    const bool concerns =
        kind == Registration::symmetric_window || ban.variable == bans.back().variable;
    const char* value = std::getenv(ban.variable);
    if (concerns && value != nullptr && ban.value == value) {
      return fmt::format("{}={} of this path {}", ban.variable, ban.value, ban.why);
    }
  }
  return "";
}

}  // namespace

std::string RegisteringAllocator::registration() const {
  return kind_ == Registration::local ? "ncclCommRegister" : "ncclCommWindowRegister";
}

std::string RegisteringAllocator::why_not() const {
  const bool is_local = kind_ == Registration::local;
  const bool has_calls =
      is_local ? library_.comm_register != nullptr && library_.comm_deregister != nullptr
               : library_.window_register != nullptr && library_.window_deregister != nullptr;
  if (!has_calls) {
    return fmt::format("{} buffers need NCCL {}; {} is running",
                       is_local ? "registered" : "symmetric",
                       is_local ? "2.19" : "2.27",
                       nccl_version_text(library_.version));
  }
  return banned_by_environment(kind_);
}

void* RegisteringAllocator::allocate(std::size_t bytes) {
  void* memory = memory_.allocate(bytes);
  try {
    handles_[memory] = make_known(memory, bytes);
  } catch (const Error&) {
    memory_.release(memory);
    throw;
  }
  return memory;
}

void* RegisteringAllocator::make_known(void* memory, std::size_t bytes) {
  void* handle = nullptr;
  if (kind_ == Registration::local) {
    comm_.complete(library_.comm_register(comm_.get(), memory, bytes, &handle), "ncclCommRegister");
  } else {
    comm_.complete(library_.window_register(comm_.get(), memory, bytes, &handle, symmetric_flag),
                   "ncclCommWindowRegister");
  }
  if (handle == nullptr) {
    throw Error(ErrorKind::nccl,
                fmt::format("{} of {} bytes registered nothing: this library or these GPUs cannot",
                            registration(),
                            bytes));
  }
  return handle;
}

void RegisteringAllocator::release(void* memory) noexcept {
  const auto entry = handles_.find(memory);
  if (entry != handles_.end()) {
    forget(entry->second);
    handles_.erase(entry);
  }
  memory_.release(memory);
}

/// A communicator that was aborted has forgotten by itself.
void RegisteringAllocator::forget(void* handle) noexcept {
  if (comm_.get() == nullptr) {
    return;
  }
  if (kind_ == Registration::local) {
    static_cast<void>(library_.comm_deregister(comm_.get(), handle));
  } else {
    static_cast<void>(library_.window_deregister(comm_.get(), handle));
  }
}

}  // namespace viaduct
