#pragma once
// A private folder of one rank for the logs of its workers. Gone with the object unless it is kept.

#include <string>

namespace viaduct {

class WorkFolder {
 public:
  /// Below $TMPDIR or /tmp. Throws Error(io).
  WorkFolder();
  ~WorkFolder();

  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

  [[nodiscard]] const std::string& path() const { return path_; }

  void keep() { kept_ = true; }

  /// At once, with all that is in it.
  void remove() noexcept;

 private:
  std::string path_;
  bool kept_ = false;
};

/// A TCP port of this host that nothing listens on now.
int free_port();

}  // namespace viaduct
