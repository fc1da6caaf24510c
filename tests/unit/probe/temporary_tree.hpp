#pragma once
// A folder of files that stand in for /sys or /proc, gone with the object.

#include <string>

namespace viaduct::test {

class TemporaryTree {
 public:
  TemporaryTree();
  ~TemporaryTree();

  TemporaryTree(const TemporaryTree&) = delete;
  TemporaryTree& operator=(const TemporaryTree&) = delete;

  /// Makes the file and its folders.
  void write(const std::string& file, const std::string& text) const;

  /// A symbolic link to another place of the tree; makes the folders of both.
  void link(const std::string& from, const std::string& to) const;

  [[nodiscard]] std::string at(const std::string& file) const { return root_ + "/" + file; }

 private:
  std::string root_;
};

}  // namespace viaduct::test
