#include "collectives/pair_shapes.hpp"

#include "collectives/shapes.hpp"

#include <algorithm>

namespace viaduct::collectives {

namespace {

constexpr std::uint64_t message_alignment = 16;

void answer_window(Transport& transport, const OperationCall& call, const WindowPeers& peers) {
  if (peers.from && !peers.to) {
    transport.send(call.send, 0, call.datatype, *peers.from);
  } else if (peers.to && !peers.from) {
    transport.recv(call.recv, 0, call.datatype, *peers.to);
  }
}

}  // namespace

Layout message_layout(const LayoutRequest& request) {
  Layout layout = vector_layout(request);
  layout.messages = static_cast<std::uint64_t>(std::max(request.window, 1));
  if (layout.messages > 1 && !request.shares_window) {
    const std::uint64_t unit = message_alignment / request.element_bytes;
    layout.stride = (layout.count + unit - 1) / unit * unit;
  }
  layout.send_elements = (layout.messages - 1) * layout.stride + layout.count;
  layout.recv_elements = layout.send_elements;
  return layout;
}

double share_of_window(int window) {
  return 1.0 / window;
}

std::vector<Segment> messages_from(const Layout& layout, std::optional<int> source) {
  if (!source) {
    return {untouched(0, layout.recv_elements)};
  }
  const bool is_whole = layout.stride == 0 || layout.stride == layout.count;
  if (layout.messages == 1 || is_whole) {
    return {copied(0, layout.recv_elements, *source, 0)};
  }
  std::vector<Segment> segments;
  for (std::uint64_t message = 0; message < layout.messages; ++message) {
    const std::uint64_t start = message * layout.stride;
    segments.push_back(copied(start, layout.count, *source, start));
    if (message + 1 < layout.messages) {
      segments.push_back(untouched(start + layout.count, layout.stride - layout.count));
    }
  }
  return segments;
}

std::optional<int> partner_of(int rank, int ranks) {
  return rank < 2 && ranks >= 2 ? std::optional(1 - rank) : std::nullopt;
}

std::string why_not_two(const char* pattern, int ranks) {
  if (ranks == 2) {
    return "";
  }
  return std::string(pattern) + " runs between two ranks and there " +
         (ranks == 1 ? "is 1" : "are " + std::to_string(ranks)) +
         ": name two with --pair A,B, or measure every pair with viaduct run pairs";
}

void enqueue_window(Transport& transport, const OperationCall& call, const WindowPeers& peers) {
  const Layout& layout = call.layout;
  const bool is_group = layout.messages > 1 || (peers.to && peers.from);
  if (is_group) {
    transport.group_begin();
  }
  const auto* from = static_cast<const unsigned char*>(call.send);
  auto* to = static_cast<unsigned char*>(call.recv);
  const std::uint64_t step = layout.stride * element_bytes(call.datatype);
  for (std::uint64_t message = 0; message < layout.messages; ++message) {
    if (peers.to) {
      transport.send(from + message * step, layout.count, call.datatype, *peers.to);
    }
    if (peers.from) {
      transport.recv(to + message * step, layout.count, call.datatype, *peers.from);
    }
  }
  if (is_group) {
    transport.group_end();
  }
  if (layout.messages > 1 && transport.has_eager_sends()) {
    answer_window(transport, call, peers);
  }
}

}  // namespace viaduct::collectives
