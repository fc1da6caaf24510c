#pragma once
// A raw line of a log as header and message: what launchers, terminals and Ray add is taken off.
// Knows no message.

#include "paths/nccl_log.hpp"

#include <string>
#include <string_view>

namespace viaduct {

enum class LogLevel { info, warn, other };

struct LogLine {
  bool has_header = false;  ///< host, pid and "NCCL <level>" stand whole in front of the message
  bool has_two_headers = false;
  LogLevel level = LogLevel::other;
  LogWriter writer;
  std::string source;   ///< file and line of a WARN
  std::string prefix;   ///< what stands before the header
  std::string message;  ///< the whole line when it has no header
};

/// Without escape sequences, carriage returns, spaces at the end and "[repeated Nx across
/// cluster]".
std::string clean_line(std::string_view raw);

/// Of a cleaned line.
LogLine split_line(std::string_view line);

}  // namespace viaduct
