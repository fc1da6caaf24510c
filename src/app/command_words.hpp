#pragma once
// The words of a command that CLI11 reads: help printed, complaints as our usage errors.

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace viaduct {

/// False: help was asked for, and has been printed. Throws Error(usage) that names `command`.
bool parse_command(CLI::App& app, const std::vector<std::string>& words, const char* command);

}  // namespace viaduct
