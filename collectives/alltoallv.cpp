// An alltoall with unequal blocks. The traffic says how much each rank sends to each other one; the
// rank that sends most sends S, the others as their weights say.

#include "collectives/shapes.hpp"

#include <algorithm>

namespace viaduct::collectives {

namespace {

/// Relative weights of what ranks send to each other, for any traffic that fits so many ranks.
class Weights {
 public:
  Weights(const Traffic& traffic, int ranks)
      : given_(traffic.weights),
        is_skewed_(traffic.name == "skewed"),
        ranks_(ranks) {}

  [[nodiscard]] double at(int from, int to) const {
    if (!given_.empty()) {
      return given_[static_cast<std::size_t>(from) * static_cast<std::size_t>(ranks_) +
                    static_cast<std::size_t>(to)];
    }
    // A rank alone has none at a distance: it sends all to itself.
    if (is_skewed_ && ranks_ > 1) {
      return (to - from + ranks_) % ranks_;
    }
    return 1;
  }

  [[nodiscard]] double sent(int from) const {
    double sum = 0;
    for (int to = 0; to < ranks_; ++to) {
      sum += at(from, to);
    }
    return sum;
  }

  /// Over all ranks; zero when nothing is sent at all.
  [[nodiscard]] double most_sent() const {
    double most = 0;
    for (int rank = 0; rank < looked_at(); ++rank) {
      most = std::max(most, sent(rank));
    }
    return most;
  }

  /// The most that one rank sends or receives, its own block included.
  [[nodiscard]] double most_handled() const {
    double most = most_sent();
    for (int rank = 0; rank < looked_at(); ++rank) {
      double received = 0;
      for (int peer = 0; peer < ranks_; ++peer) {
        received += at(peer, rank);
      }
      most = std::max(most, received);
    }
    return most;
  }

  /// Ranks to look at for a largest value: where no weights are given all ranks are alike.
  [[nodiscard]] int looked_at() const { return given_.empty() ? 1 : ranks_; }

 private:
  const std::vector<double>& given_;
  bool is_skewed_;
  int ranks_;
};

/// Elements of each block of one case.
class Blocks {
 public:
  Blocks(const LayoutRequest& request, const Weights& weights, std::uint64_t total_bytes)
      : request_(request),
        weights_(weights),
        total_bytes_(static_cast<double>(total_bytes)),
        most_sent_(weights.most_sent()) {}

  [[nodiscard]] std::uint64_t at(int from, int to) const {
    const double weight = weights_.at(from, to);
    if (weight <= 0) {
      return 0;
    }
    // The share first: the product of a large weight and a large size may be no number.
    const auto bytes = static_cast<std::uint64_t>(weight / most_sent_ * total_bytes_);
    const std::uint64_t elements = rounded_block(bytes / request_.element_bytes, request_);
    const bool is_lifted = request_.method == Method::viaduct && request_.size_bytes > 0;
    return is_lifted ? std::max<std::uint64_t>(elements, 1) : elements;
  }

  /// To the ranks before `to`: where the block for it begins in the input of `from`.
  [[nodiscard]] std::uint64_t sent_before(int from, int to) const {
    std::uint64_t sum = 0;
    for (int peer = 0; peer < to; ++peer) {
      sum += at(from, peer);
    }
    return sum;
  }

  [[nodiscard]] std::uint64_t received(int to) const {
    std::uint64_t sum = 0;
    for (int peer = 0; peer < request_.ranks; ++peer) {
      sum += at(peer, to);
    }
    return sum;
  }

 private:
  const LayoutRequest& request_;
  const Weights& weights_;
  double total_bytes_;
  double most_sent_;
};

PeerBlocks peer_blocks(const Blocks& blocks, int rank, int ranks) {
  PeerBlocks own;
  std::uint64_t send_offset = 0;
  std::uint64_t recv_offset = 0;
  for (int peer = 0; peer < ranks; ++peer) {
    own.send_counts.push_back(blocks.at(rank, peer));
    own.send_offsets.push_back(send_offset);
    own.recv_counts.push_back(blocks.at(peer, rank));
    own.recv_offsets.push_back(recv_offset);
    own.source_offsets.push_back(blocks.sent_before(peer, rank));
    send_offset += own.send_counts.back();
    recv_offset += own.recv_counts.back();
  }
  return own;
}

std::string why_not(int ranks, const Traffic& traffic) {
  if (traffic.weights.empty()) {
    const bool is_known = traffic.name == "uniform" || traffic.name == "skewed";
    return is_known
               ? ""
               : "traffic '" + traffic.name + "' has no weights; only uniform and skewed need none";
  }
  const auto n = static_cast<std::size_t>(ranks);
  if (traffic.weights.size() != n * n) {
    return "traffic '" + traffic.name + "' has " + std::to_string(traffic.weights.size()) +
           " weights; " + std::to_string(ranks) + " ranks need a matrix of " +
           std::to_string(ranks) + " x " + std::to_string(ranks) + ", " + std::to_string(n * n) +
           " weights";
  }
  if (Weights(traffic, ranks).most_sent() <= 0) {
    return "traffic '" + traffic.name + "' sends nothing: all its weights are zero";
  }
  return "";
}

/// As nccl-tests: what the busiest rank sends or receives, whichever is more.
double alg_factor(int ranks, const Traffic& traffic) {
  if (!why_not(ranks, traffic).empty()) {
    return 0;
  }
  const Weights weights(traffic, ranks);
  return weights.most_handled() / weights.most_sent();
}

/// As nccl-tests: as if the block to itself were as large as the others, whatever it is.
double bus_factor(int ranks, const Traffic& traffic) {
  return alg_factor(ranks, traffic) * (ranks - 1) / ranks;
}

Layout layout(const LayoutRequest& request) {
  const Traffic uniform;
  const Traffic& traffic = request.traffic != nullptr ? *request.traffic : uniform;
  Layout layout;
  if (!why_not(request.ranks, traffic).empty()) {
    return layout;
  }
  const Layout equal = exchanged_layout(request);
  const Weights weights(traffic, request.ranks);
  const Blocks blocks(request, weights, equal.size_bytes);
  for (int rank = 0; rank < weights.looked_at(); ++rank) {
    layout.send_elements = std::max(layout.send_elements, blocks.sent_before(rank, request.ranks));
    layout.recv_elements = std::max(layout.recv_elements, blocks.received(rank));
  }
  // As nccl-tests: blocks of a matrix have no count in common.
  layout.count = traffic.weights.empty() ? equal.count : 0;
  layout.size_bytes = layout.send_elements * request.element_bytes;
  layout.blocks = peer_blocks(blocks, request.rank, request.ranks);
  return layout;
}

std::vector<Segment> expected(const Layout& layout, const Seat& seat) {
  const PeerBlocks& blocks = layout.blocks;
  std::vector<Segment> segments;
  std::uint64_t end = 0;
  for (int source = 0; source < seat.ranks; ++source) {
    const auto at = static_cast<std::size_t>(source);
    segments.push_back(
        copied(blocks.recv_offsets[at], blocks.recv_counts[at], source, blocks.source_offsets[at]));
    end += blocks.recv_counts[at];
  }
  segments.push_back(untouched(end, layout.recv_elements - end));
  return segments;
}

void enqueue(Transport& transport, const OperationCall& call) {
  const PeerBlocks& blocks = call.layout.blocks;
  transport.alltoallv(call.send,
                      call.recv,
                      ExchangeBlocks{.send_counts = blocks.send_counts,
                                     .send_offsets = blocks.send_offsets,
                                     .recv_counts = blocks.recv_counts,
                                     .recv_offsets = blocks.recv_offsets,
                                     .most_elements = std::max(call.layout.send_elements,
                                                               call.layout.recv_elements)},
                      call.datatype);
}

}  // namespace

const Collective& alltoallv() {
  static constexpr Collective entry{
      .name = "alltoallv",
      .size_meaning =
          "bytes that the rank which sends most sends in all; the others send less, as "
          "the traffic says",
      .factors =
          "algbw = (most that one rank sends or receives in all)/t, S/t with equal blocks; busbw = "
          "algbw * (n-1)/n",
      .verb = "ncclSend and ncclRecv in one group, MPI_Alltoallv",
      .has_in_place = false,
      .has_traffic = true,
      .layout = layout,
      .alg_factor = alg_factor,
      .bus_factor = bus_factor,
      .why_not = why_not,
      .expected = expected,
      .enqueue = enqueue,
  };
  return entry;
}

}  // namespace viaduct::collectives
