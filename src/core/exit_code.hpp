#pragma once
// Exit codes of every program, and which of two is the graver.

#include "core/error.hpp"
#include "core/evidence.hpp"
#include "core/path_spec.hpp"

namespace viaduct {

enum class ExitCode : int {
  ok = 0,
  internal = 1,      ///< internal error, also a disk that is full
  usage = 2,         ///< wrong usage or plan
  refused = 3,       ///< launch refused
  contradicted = 5,  ///< evidence contradicts the path asked for
  lost = 6,          ///< a case was lost: hang or crash
  wrong_data = 7,    ///< a result was not right to the bit
  gate = 8,          ///< a gate failed
};

/// The code that a program ends with after this kind of error. An interruption is not in the table
/// above: a program that was stopped by signal s ends with 128 + s (see interrupted_exit_code);
/// here it counts as internal.
ExitCode exit_code(ErrorKind kind);

/// What the evidence of a path, or of one of its cases, asks for: contradicted (5) where it
/// contradicts the path, and with `require_path` also where a path with a `must` is not proven. No
/// evidence at all is EvidenceState::unknown. Cases without samples are not to be asked about.
ExitCode exit_code(const PathSpec& path, EvidenceState state, bool require_path);

/// 128 + signal: what a shell reports for a program that a signal ended.
int interrupted_exit_code(int signal);

/// The graver of two codes of a run that went to its end: 7 before 6 before 5 before 8 before 0.
/// The codes of an error that ends a program (1, 2, 3) are graver than all of them.
ExitCode graver(ExitCode a, ExitCode b);

}  // namespace viaduct
