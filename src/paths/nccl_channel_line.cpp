#include "paths/nccl_channel_line.hpp"

#include "paths/text_cursor.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace viaduct {

namespace {

using Reading = std::variant<NoChannelLine, TornChannelLine, LogEdge>;

constexpr std::string_view channel_word = "Channel ";
constexpr std::string_view collnet_word = "CollNet ";

/// Whatever names a transport in any version.
constexpr std::array<std::string_view, 5> transport_marks{
    "via P2P/", "via SHM/", "via NET/", "via COLLNET/", "via direct shared memory"};

bool names_transport(std::string_view text) {
  return std::any_of(transport_marks.begin(), transport_marks.end(), [text](std::string_view mark) {
    return text.find(mark) != std::string_view::npos;
  });
}

/// "0[3d000]": rank, and a hex bus id or an index.
bool take_rank(TextCursor& cursor, int& rank, std::string& device) {
  const std::optional<int> number = cursor.take_count();
  if (!number || !cursor.take("[")) {
    return false;
  }
  const std::optional<std::string_view> text = cursor.take_until("]");
  const auto is_hex = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
  if (!text || text->empty() || !std::all_of(text->begin(), text->end(), is_hex)) {
    return false;
  }
  rank = *number;
  device = *text;
  return true;
}

/// Nothing, or what RCCL adds to the same line.
bool is_end(TextCursor cursor) {
  if (cursor.take(" comm 0x")) {
    return cursor.take_until(" nRanks ") && cursor.take_count() && cursor.at_end();
  }
  return cursor.at_end();
}

/// "CUMEM/read", "direct pointer", "indirect/2[3]", "IPC/read/CE".
bool read_p2p(TextCursor cursor, LogEdge& edge) {
  const std::string_view text = cursor.rest();
  const bool is_plain = cursor.take("direct pointer") || cursor.take("common device") ||
                        cursor.take("CUMEM") || cursor.take("MNNVL") || cursor.take("IPC");
  int relay = 0;
  std::string device;
  if (!is_plain && !(cursor.take("indirect/") && take_rank(cursor, relay, device))) {
    return false;
  }
  cursor.take("/read");
  cursor.take("/CE");
  edge.transport = LogTransport::p2p;
  edge.detail = text.substr(0, text.size() - cursor.rest().size());
  return is_end(cursor);
}

/// "direct/direct" with "CE" for either; "direct" from 2.30.7.
bool read_shm(TextCursor cursor, LogEdge& edge) {
  const std::string_view text = cursor.rest();
  const auto take_way = [&cursor] { return cursor.take("direct") || cursor.take("CE"); };
  if (!take_way() || (cursor.take("/") && !take_way())) {
    return false;
  }
  edge.transport = LogTransport::shm;
  edge.detail = text.substr(0, text.size() - cursor.rest().size());
  return is_end(cursor);
}

bool take_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) {
    return false;
  }
  text.remove_suffix(suffix.size());
  return true;
}

/// "(3)" at the end: the rank whose NIC carries it. The device stands before it.
bool take_proxy_rank(std::string_view& text, LogEdge& edge) {
  const std::size_t open = text.rfind('(');
  if (!text.ends_with(')') || open == std::string_view::npos) {
    return true;
  }
  TextCursor cursor(text.substr(open + 1));
  const std::optional<int> rank = cursor.take_count();
  if (!rank || !cursor.take(")") || !cursor.at_end()) {
    return false;
  }
  edge.proxy_rank = *rank;
  text = text.substr(0, open);
  return true;
}

/// "AWS Libfabric/0": the name is a plugin's, so anything but brackets and arrows may stand in it.
bool is_network_device(std::string_view text) {
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos || slash == 0 ||
      text.substr(0, slash).find_first_of("[]<>(){}") != std::string_view::npos) {
    return false;
  }
  TextCursor cursor(text.substr(slash + 1));
  return cursor.take_count() && cursor.at_end();
}

/// "IB/0(3)/GDRDMA(PCI)/Shared", taken from its end because names hold blanks.
bool read_network(std::string_view text, LogTransport transport, LogEdge& edge) {
  edge.transport = transport;
  edge.shared = take_suffix(text, "/Shared");
  if (take_suffix(text, "/GDRDMA(PCI)")) {
    edge.pci = true;
    edge.gdrdma = GpuDirect::yes;
  } else {
    edge.gdrdma = take_suffix(text, "/GDRDMA") ? GpuDirect::yes : GpuDirect::no;
  }
  if (!take_proxy_rank(text, edge) || !is_network_device(text)) {
    return false;
  }
  edge.detail = text;
  return true;
}

/// RCCL's trailer, so that the network's name can be read from its end.
std::string_view without_trailer(std::string_view text) {
  const std::size_t at = text.find(" comm 0x");
  return at != std::string_view::npos && is_end(TextCursor(text.substr(at))) ? text.substr(0, at)
                                                                             : text;
}

bool read_transport(TextCursor cursor, LogEdge& edge) {
  if (cursor.take("P2P/")) {
    return edge.end == LineEnd::unknown && read_p2p(cursor, edge);
  }
  if (cursor.take("SHM/")) {
    return edge.end == LineEnd::unknown && read_shm(cursor, edge);
  }
  if (cursor.take("NET/")) {
    return edge.end != LineEnd::unknown &&
           read_network(without_trailer(cursor.rest()), LogTransport::net, edge);
  }
  edge.transport = LogTransport::shm;
  edge.detail = "direct shared memory";
  return cursor.take("direct shared memory") && is_end(cursor);
}

bool take_end(TextCursor& cursor, LogEdge& edge) {
  if (cursor.take("[send] ")) {
    edge.end = LineEnd::send;
  } else if (cursor.take("[receive] ")) {
    edge.end = LineEnd::receive;
  }
  return cursor.take("via ");
}

/// "00/02 :    0   1   2": the order of a ring. Its two numbers have two digits at least, so a
/// channel line that is cut behind its first rank is not mistaken for one.
bool is_ring(std::string_view text) {
  TextCursor cursor(text);
  const std::optional<int> ring = cursor.take_count();
  const std::string_view second = cursor.rest();
  if (!ring || !cursor.take("/") || !cursor.take_count() || !cursor.take(" :")) {
    return false;
  }
  return second.size() - cursor.rest().size() >= std::string_view("/00 :").size() &&
         !cursor.at_end() &&
         cursor.rest().find_first_not_of(" 0123456789") == std::string_view::npos;
}

bool take_channel_number(TextCursor& cursor, LogEdge& edge) {
  const std::optional<int> channel = cursor.take_count();
  if (!channel) {
    return false;
  }
  edge.channel = *channel;
  if (cursor.take("/")) {
    edge.connection = cursor.take_count().value_or(-1);
    if (edge.connection < 0) {
      return false;
    }
  }
  return cursor.take(" :");
}

Reading read_channel(TextCursor cursor) {
  if (cursor.at_end() || std::isdigit(static_cast<unsigned char>(cursor.rest().front())) == 0) {
    return NoChannelLine{};
  }
  if (is_ring(cursor.rest())) {
    return NoChannelLine{};
  }
  LogEdge edge;
  const bool is_whole = take_channel_number(cursor, edge) && cursor.take(" ") &&
                        take_rank(cursor, edge.from, edge.from_device) && cursor.take(" -> ") &&
                        take_rank(cursor, edge.to, edge.to_device) && cursor.take(" ") &&
                        take_end(cursor, edge) && read_transport(cursor, edge);
  return is_whole ? Reading(edge) : Reading(TornChannelLine{});
}

/// One rank and the switch: "CollNet 00/0 : 3 [send] via COLLNET/SHARP/0/GDRDMA".
Reading read_collnet(TextCursor cursor) {
  if (cursor.at_end() || std::isdigit(static_cast<unsigned char>(cursor.rest().front())) == 0) {
    return NoChannelLine{};
  }
  LogEdge edge;
  if (!take_channel_number(cursor, edge) || !cursor.take(" ")) {
    return TornChannelLine{};
  }
  const std::optional<int> rank = cursor.take_count();
  if (!rank || !cursor.take(" ") || !take_end(cursor, edge) || edge.end == LineEnd::unknown ||
      !cursor.take("COLLNET/") ||
      !read_network(without_trailer(cursor.rest()), LogTransport::collnet, edge)) {
    return TornChannelLine{};
  }
  (edge.end == LineEnd::send ? edge.from : edge.to) = *rank;
  return edge;
}

}  // namespace

Reading read_channel_line(std::string_view message) {
  TextCursor cursor(message);
  if (cursor.take(channel_word)) {
    return read_channel(cursor);
  }
  if (cursor.take(collnet_word)) {
    return read_collnet(cursor);
  }
  return names_transport(message) ? Reading(TornChannelLine{}) : Reading(NoChannelLine{});
}

Reading read_headless_line(std::string_view line) {
  if (!names_transport(line)) {
    return NoChannelLine{};
  }
  for (const std::string_view word : {channel_word, collnet_word}) {
    const std::size_t at = line.rfind(word);
    if (at == std::string_view::npos) {
      continue;
    }
    Reading reading = read_channel_line(line.substr(at));
    // What stands before it must not be the end of another channel line.
    if (std::holds_alternative<LogEdge>(reading) && !names_transport(line.substr(0, at))) {
      return reading;
    }
  }
  return TornChannelLine{};
}

}  // namespace viaduct
