// A worker without CUDA for tests of everything that starts workers. Behaves by its argument or,
// without one, by the variable SCRIPT; worker_script.hpp has the grammar.

#include "core/exit_code.hpp"
#include "scripted_engine.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace viaduct::test {

namespace {

/// Lines "fd 3 socket:[7]", "env A=1", "status SigBlk: 00", "group 12", "pid 12": what the process
/// was started with.
void inspect() {
  const std::string folder = "/proc/" + std::to_string(::getpid()) + "/fd";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::error_code gone;  // the descriptor of this very listing
    const auto target = std::filesystem::read_symlink(entry.path(), gone);
    if (!gone && target != std::filesystem::path(folder)) {
      std::printf("fd %s %s\n", entry.path().filename().c_str(), target.c_str());
    }
  }
  for (char** variable = environ; *variable != nullptr; ++variable) {
    std::printf("env %s\n", *variable);
  }
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("Sig")) {
      std::printf("status %s\n", line.c_str());
    }
  }
  std::printf("pid %d\ngroup %d\n", ::getpid(), ::getpgrp());
  std::fflush(stdout);
}

int run(int argc, char** argv) {
  const char* variable = std::getenv("SCRIPT");
  const std::string text = argc > 1 ? argv[1] : (variable == nullptr ? "ok" : variable);
  const WorkerScript script = parse_script(text);
  if (script.inspects) {
    inspect();
  }
  guard_against_orphaning(control_descriptor);
  ScriptedEngine engine(script, times_from_environment());
  const int status = serve(control_descriptor, engine);
  engine.end();
  std::printf("ended by itself\n");
  return status;
}

}  // namespace

}  // namespace viaduct::test

int main(int argc, char** argv) {
  try {
    return viaduct::test::run(argc, argv);
  } catch (const viaduct::Error& error) {
    std::fprintf(stderr, "scripted_worker: %s\n", error.what());
    return static_cast<int>(viaduct::exit_code(error.kind()));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "scripted_worker: %s\n", error.what());
    return 1;
  }
}
