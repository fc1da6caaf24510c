// viaduct run: becomes viaduct-rank in place, so that the launcher's process is the one that
// measures.

#include "app/build_info.hpp"
#include "app/commands.hpp"
#include "collectives/collective.hpp"
#include "config/run_arguments.hpp"
#include "core/error.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace viaduct {
namespace {

/// Under a launcher every rank runs this program: rank 0 of viaduct-rank then reports wrong words
/// once, for all.
bool is_under_launcher() {
  constexpr std::array variables{"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"};
  for (const char* variable : variables) {
    if (std::getenv(variable) != nullptr) {
      return true;
    }
  }
  return false;
}

}  // namespace

int run_command(const std::vector<std::string>& words) {
  if (!is_under_launcher()) {
    const RunArguments arguments = parse_run_arguments(words, collectives::names());
    if (arguments.help_wanted) {
      fmt::print("{}", arguments.help);
      return 0;
    }
  }
  const std::string program = sibling_program("viaduct-rank");
  std::vector<std::string> copy{program};
  copy.insert(copy.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (std::string& word : copy) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  throw Error(ErrorKind::internal,
              fmt::format("cannot start {}: {}", program, std::strerror(errno)));
}

}  // namespace viaduct
