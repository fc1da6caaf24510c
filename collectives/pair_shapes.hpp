#pragma once
// What the patterns between two ranks share: a window of messages, who may run them, how they are
// sent. Must not know which of them asks.

#include "collectives/collective.hpp"

#include <optional>
#include <string>
#include <vector>

namespace viaduct::collectives {

/// S is one message; the window has its messages side by side, each at a multiple of 16 bytes, in
/// the input as in the output; or all of them share one place.
Layout message_layout(const LayoutRequest& request);

/// 1 / window: the time of one message, of a window that is timed as one.
double share_of_window(int window);

/// The output of a rank that gets the window of `source`; without one it stays untouched.
std::vector<Segment> messages_from(const Layout& layout, std::optional<int> source);

/// The other one of two ranks; empty for any further one, or where there is no second rank.
std::optional<int> partner_of(int rank, int ranks);

/// Why a pattern between two ranks cannot run on so many; "" for two.
std::string why_not_two(const char* pattern, int ranks);

/// To whom and from whom this rank's window goes.
struct WindowPeers {
  std::optional<int> to;
  std::optional<int> from;
};

/// One window of messages, all under way at once. Where sends return early and the messages go one
/// way only, the receiver answers a window of several with an empty message (as OSU and IMB do):
/// the sender would otherwise run ahead, and the window would not be what is in flight.
void enqueue_window(Transport& transport, const OperationCall& call, const WindowPeers& peers);

}  // namespace viaduct::collectives
