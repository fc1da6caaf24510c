#include "core/exit_code.hpp"

namespace viaduct {
namespace {

/// Higher is graver. The codes of an error that ended the program (1, 2, 3) stand above those of a
/// run that went to its end: such a result is not whole.
int gravity(ExitCode code) {
  switch (code) {
    case ExitCode::ok:
      return 0;
    case ExitCode::gate:
      return 1;
    case ExitCode::contradicted:
      return 2;
    case ExitCode::lost:
      return 3;
    case ExitCode::wrong_data:
      return 4;
    case ExitCode::refused:
      return 5;
    case ExitCode::usage:
      return 6;
    case ExitCode::internal:
      return 7;
  }
  return 7;
}

}  // namespace

ExitCode exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return ExitCode::usage;
    case ErrorKind::refused:
      return ExitCode::refused;
    case ErrorKind::lost:
      return ExitCode::lost;
    case ErrorKind::internal:
    case ErrorKind::io:
    case ErrorKind::mpi:
    case ErrorKind::cuda:
    case ErrorKind::nccl:
    case ErrorKind::interrupted:
      return ExitCode::internal;
  }
  return ExitCode::internal;
}

ExitCode exit_code(const PathSpec& path, EvidenceState state, bool require_path) {
  const bool is_missing = require_path && is_judged(path) && state != EvidenceState::proven;
  return state == EvidenceState::contradicted || is_missing ? ExitCode::contradicted : ExitCode::ok;
}

int interrupted_exit_code(int signal) {
  return 128 + signal;
}

ExitCode graver(ExitCode a, ExitCode b) {
  return gravity(a) >= gravity(b) ? a : b;
}

}  // namespace viaduct
