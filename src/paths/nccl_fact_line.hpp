#pragma once
// Messages of NCCL 2.7 to 2.30 other than channel lines, each as one value. A message that is cut
// gives nothing.

#include "paths/nccl_log.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace viaduct {

struct NetworkName {
  std::string name;
};

/// "rings" or "trees".
struct ConnectedWhat {
  std::string what;
};

struct VersionName {
  std::string name;
};

using LogFact = std::variant<std::monostate,
                             LogCommunicator,
                             LogP2pType,
                             LogChannelCounts,
                             LogNvls,
                             LogVariable,
                             LogInitTiming,
                             LogTuning,
                             LogWarning,
                             LogFailure,
                             NetworkName,
                             ConnectedWhat,
                             VersionName>;

/// Of a message without its header; the writer is left empty. WARN lines are not its business.
LogFact read_fact(std::string_view message);

/// "AllReduce: 1024 Bytes -> Algo RING proto LL channel{Lo..Hi}={0..0}" in the forms of every
/// version.
std::optional<LogTuning> read_tuning(std::string_view message);

/// "NCCL version 2.7.8+cuda11.1" stands without a header in most versions.
std::optional<VersionName> read_version(std::string_view line);

/// What the text of a warning is known to mean; empty: not known.
std::string warning_cause(std::string_view text);

}  // namespace viaduct
