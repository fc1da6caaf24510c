// Windows of messages from the first half of the ranks to the second: rank i to rank i + n/2, all
// pairs at once.

#include "collectives/pair_shapes.hpp"
#include "collectives/shapes.hpp"

namespace viaduct::collectives {

namespace {

double pairs_of(int ranks) {
  const int pairs = ranks / 2;
  return pairs;
}

double all_pairs(int ranks, const Traffic&) {
  return pairs_of(ranks);
}

std::string why_not(int ranks, const Traffic&) {
  if (ranks % 2 == 0) {
    return "";
  }
  return "message_rate needs an even number of ranks, half of them send; there " +
         (ranks == 1 ? std::string("is 1") : "are " + std::to_string(ranks));
}

WindowPeers peers_of(int rank, int ranks) {
  const int half = ranks / 2;
  WindowPeers peers;
  if (rank < half) {
    peers.to = rank + half;
  } else if (rank < 2 * half) {
    peers.from = rank - half;
  }
  return peers;
}

std::vector<Segment> expected(const Layout& layout, const Seat& seat) {
  return messages_from(layout, peers_of(seat.rank, seat.ranks).from);
}

void enqueue(Transport& transport, const OperationCall& call) {
  enqueue_window(transport, call, peers_of(transport.rank(), transport.size()));
}

}  // namespace

const Collective& message_rate() {
  static constexpr Collective entry{
      .name = "message_rate",
      .size_meaning = "bytes of each message; windows of them from rank i to rank i + n/2",
      .factors =
          "t = time of a window / its messages; algbw = S/t * n/2 (all pairs), busbw = "
          "algbw; messages per second = n/2 / t",
      .limits = "an even number of ranks",
      .verb = "ncclSend and ncclRecv in one group for each window, MPI_Isend and MPI_Irecv",
      .has_in_place = false,
      .is_pairwise = true,
      .default_window = 64,
      .layout = message_layout,
      .alg_factor = all_pairs,
      .bus_factor = all_pairs,
      .time_share = share_of_window,
      .messages = pairs_of,
      .why_not = why_not,
      .expected = expected,
      .enqueue = enqueue,
  };
  return entry;
}

}  // namespace viaduct::collectives
