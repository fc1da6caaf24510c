#include "launch/mpirun_version.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <memory>

namespace viaduct {

namespace {

constexpr std::size_t longest_version_text = 4096;

struct PipeCloser {
  void operator()(FILE* pipe) const { ::pclose(pipe); }
};

}  // namespace

std::string mpirun_version_text() {
  const std::unique_ptr<FILE, PipeCloser> pipe(
      ::popen("timeout -k 1 10 mpirun --version </dev/null 2>/dev/null", "r"));
  std::string text;
  std::array<char, 256> part{};
  while (pipe && text.size() < longest_version_text &&
         std::fgets(part.data(), static_cast<int>(part.size()), pipe.get()) != nullptr) {
    text += part.data();
  }
  return text;
}

int open_mpi_major(std::string_view version_text) {
  constexpr int read_by_both = 4;
  constexpr std::string_view title = "(Open MPI) ";
  if (version_text.empty()) {
    return read_by_both;
  }
  const std::size_t at = version_text.find(title);
  if (at == std::string_view::npos) {
    return 0;
  }
  const char* first = version_text.data() + at + title.size();
  int major = 0;
  std::from_chars(first, version_text.data() + version_text.size(), major);
  return major;
}

}  // namespace viaduct
