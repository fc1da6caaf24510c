#pragma once
// Channel lines of NCCL 2.7 to 2.30: "Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM" and "CollNet ...".
// Strict: a line that is cut, or that has anything behind it, is not read at all.

#include "paths/nccl_log.hpp"

#include <string_view>
#include <variant>

namespace viaduct {

struct NoChannelLine {};

/// It is one, but not whole.
struct TornChannelLine {};

/// Of a message without its header. The writer is left empty.
std::variant<NoChannelLine, TornChannelLine, LogEdge> read_channel_line(std::string_view message);

/// Of a line without a header: torn when it names a transport, a LogEdge when the channel part is
/// whole, though no one knows who wrote it.
std::variant<NoChannelLine, TornChannelLine, LogEdge> read_headless_line(std::string_view line);

}  // namespace viaduct
