#pragma once
// What posix_spawn is told, as owned values: descriptors, signals and group, environment. Starts
// nothing itself.

#include <map>
#include <spawn.h>
#include <string>
#include <vector>

namespace viaduct {

class SpawnFileActions {
 public:
  SpawnFileActions();
  ~SpawnFileActions();

  SpawnFileActions(const SpawnFileActions&) = delete;
  SpawnFileActions& operator=(const SpawnFileActions&) = delete;

  /// The child gets `from` under the number `to`. `from` must not be a number that an earlier call
  /// wrote.
  void put(int from, int to);

  /// Every descriptor from `first` on is closed in the child.
  void close_from(int first);

  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

/// Every signal at its default and unblocked, an own process group.
class SpawnAttributes {
 public:
  SpawnAttributes();
  ~SpawnAttributes();

  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;

  [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

/// "NAME=value" texts and the array of pointers that exec wants.
class EnvironmentBlock {
 public:
  explicit EnvironmentBlock(const std::map<std::string, std::string>& environment);

  [[nodiscard]] char** data() { return pointers_.data(); }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
};

}  // namespace viaduct
