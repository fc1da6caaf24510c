// viaduct: the program people type. Runs without MPI and CUDA; `run` becomes viaduct-rank in place.

#include "app/build_info.hpp"
#include "app/commands.hpp"
#include "app/standard_streams.hpp"
#include "app/terminal.hpp"
#include "core/exit_code.hpp"
#include "core/nearest.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <system_error>
#include <vector>

namespace viaduct {
namespace {

struct Command {
  const char* name;
  const char* summary;
  int (*run)(const std::vector<std::string>& words);
};

constexpr Command commands[] = {
    {"run", "measure; inside mpirun or srun", &run_command},
    {"launch", "make the launch line and run it: launch -n N -- run ...", &launch_command},
    {"report", "show result files: text, csv, markdown, html, ...", &report_command},
    {"check", "judge a result file against gates", &check_command},
    {"evidence", "say which path NCCL took between each two ranks, by its logs", &evidence_command},
    {"compare", "judge one result against another", &compare_command},
    {"import", "read the output of nccl-tests and other tools", &import_command},
    {"topology", "show GPUs, links, NICs and the best rate each pair can reach", &topology_command},
    {"list", "list collectives, paths, datatypes, formats, gates or plans", &list_command},
};

std::string usage() {
  std::string text = "usage: viaduct COMMAND [words]\n\n";
  for (const Command& command : commands) {
    text += fmt::format("  {:<8} {}\n", command.name, command.summary);
  }
  return text + "\nviaduct COMMAND --help says more; viaduct --version.\n";
}

int dispatch(const std::vector<std::string>& words) {
  if (words.empty()) {
    fmt::print(stderr, "viaduct: a command is missing\n{}", usage());
    return static_cast<int>(ExitCode::usage);
  }
  if (words[0] == "--help" || words[0] == "-h") {
    fmt::print("{}", usage());
    return 0;
  }
  if (words[0] == "--version") {
    fmt::print("{}\n", version_line());
    return 0;
  }
  std::vector<std::string> names;
  for (const Command& command : commands) {
    if (words[0] == command.name) {
      return command.run({words.begin() + 1, words.end()});
    }
    names.emplace_back(command.name);
  }
  throw Error(ErrorKind::usage, unknown_name_message("command", words[0], names));
}

}  // namespace
}  // namespace viaduct

int main(int argc, char** argv) {
  viaduct::keep_standard_streams();
  try {
    const int code = viaduct::dispatch({argv + 1, argv + argc});
    viaduct::flush_output();
    return code;
  } catch (const viaduct::Error& error) {
    fmt::print(stderr, "viaduct: {}\n", viaduct::error_line(error.message()));
    return static_cast<int>(viaduct::exit_code(error.kind()));
  } catch (const std::system_error& error) {
    // Printing to a closed standard output throws, and leaves its mark there. So do folders that
    // cannot be looked into, which leave none.
    const bool is_output = std::ferror(stdout) != 0;
    fmt::print(stderr,
               "viaduct: {}: {}\n",
               is_output ? "standard output could not be written" : "internal error",
               is_output ? error.code().message() : error.what());
    return static_cast<int>(is_output ? viaduct::exit_code(viaduct::ErrorKind::io)
                                      : viaduct::ExitCode::internal);
  } catch (const std::exception& error) {
    fmt::print(stderr, "viaduct: internal error: {}\n", error.what());
    return static_cast<int>(viaduct::ExitCode::internal);
  }
}
