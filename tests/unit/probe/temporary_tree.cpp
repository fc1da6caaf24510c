#include "unit/probe/temporary_tree.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace viaduct::test {

namespace fs = std::filesystem;

TemporaryTree::TemporaryTree()
    : root_((fs::temp_directory_path() / "viaduct-tree-XXXXXX").string()) {
  if (::mkdtemp(root_.data()) == nullptr) {
    throw std::runtime_error("no temporary folder can be made");
  }
}

TemporaryTree::~TemporaryTree() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

void TemporaryTree::write(const std::string& file, const std::string& text) const {
  fs::create_directories(fs::path(at(file)).parent_path());
  std::ofstream(at(file)) << text;
}

void TemporaryTree::link(const std::string& from, const std::string& to) const {
  fs::create_directories(fs::path(at(from)).parent_path());
  fs::create_directories(at(to));
  fs::create_directory_symlink(at(to), at(from));
}

}  // namespace viaduct::test
