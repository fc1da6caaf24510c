#include "worker/spawn_setup.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <system_error>

#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 34)
#define VIADUCT_SPAWN_CLOSES_FROM 1
#endif
#endif

namespace viaduct {

namespace {

/// The calls return their error instead of setting errno.
void check_spawn(int error, const char* call) {
  if (error != 0) {
    throw Error(
        ErrorKind::lost,
        fmt::format("cannot start a worker: {}: {}", call, std::generic_category().message(error)));
  }
}

}  // namespace

SpawnFileActions::SpawnFileActions() {
  check_spawn(posix_spawn_file_actions_init(&actions_), "posix_spawn_file_actions_init");
}

SpawnFileActions::~SpawnFileActions() {
  posix_spawn_file_actions_destroy(&actions_);
}

void SpawnFileActions::put(int from, int to) {
  check_spawn(posix_spawn_file_actions_adddup2(&actions_, from, to),
              "posix_spawn_file_actions_adddup2");
}

void SpawnFileActions::close_from(int first) {
#ifdef VIADUCT_SPAWN_CLOSES_FROM
  check_spawn(posix_spawn_file_actions_addclosefrom_np(&actions_, first),
              "posix_spawn_file_actions_addclosefrom_np");
#else
  // An older C library: name each one that is open now. Closing one that is gone by then is not an
  // error to it.
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    const int number = std::stoi(entry.path().filename().string());
    if (number >= first) {
      check_spawn(posix_spawn_file_actions_addclose(&actions_, number),
                  "posix_spawn_file_actions_addclose");
    }
  }
#endif
}

SpawnAttributes::SpawnAttributes() {
  check_spawn(posix_spawnattr_init(&attributes_), "posix_spawnattr_init");
  sigset_t every;
  sigset_t none;
  sigfillset(&every);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes_, &every);
  posix_spawnattr_setsigmask(&attributes_, &none);
  posix_spawnattr_setpgroup(&attributes_, 0);
  constexpr int flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP;
  check_spawn(posix_spawnattr_setflags(&attributes_, static_cast<short>(flags)),
              "posix_spawnattr_setflags");
}

SpawnAttributes::~SpawnAttributes() {
  posix_spawnattr_destroy(&attributes_);
}

EnvironmentBlock::EnvironmentBlock(const std::map<std::string, std::string>& environment) {
  for (const auto& [variable, value] : environment) {
    texts_.push_back(variable + "=" + value);
  }
  for (std::string& text : texts_) {
    pointers_.push_back(text.data());
  }
  pointers_.push_back(nullptr);
}

}  // namespace viaduct
