#pragma once
// Lines that tell a result of NCCL other than success: its own, "group.cc:142 -> 3", and those of
// programs that print it. Knows no other line of a log.
//
// Source: the check macros of NCCL's src/include/checks.h, and ncclGetErrorString of src/init.cc.

#include "paths/nccl_log.hpp"

#include <optional>
#include <string_view>

namespace viaduct {

/// Of a message without its header; the writer is left empty.
std::optional<LogFailure> read_failure(std::string_view message);

/// Of a line without a header in which a program tells what NCCL gave it: it names NCCL and has the
/// words of ncclGetErrorString.
std::optional<LogFailure> read_told_failure(std::string_view line);

}  // namespace viaduct
