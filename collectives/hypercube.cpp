// An all_gather in log2(n) steps: in each a rank exchanges all that it holds with the partner whose
// number differs in one bit.

#include "collectives/shapes.hpp"

#include <bit>

namespace viaduct::collectives {

namespace {

/// nccl-tests counts only the blocks that a rank receives, already in algbw.
double alg_factor(int ranks) {
  return share_of_others(ranks, Traffic{});
}

std::string why_not(int ranks, const Traffic&) {
  if (std::has_single_bit(static_cast<unsigned>(ranks))) {
    return "";
  }
  return "hypercube needs a power of two ranks; there are " + std::to_string(ranks);
}

void enqueue(Transport& transport, const OperationCall& call) {
  const std::size_t count = call.layout.count;
  const std::size_t block = count * element_bytes(call.datatype);
  auto* const output = static_cast<unsigned char*>(call.recv);
  const auto rank = static_cast<std::size_t>(transport.rank());
  const auto ranks = static_cast<std::size_t>(transport.size());
  if (output + rank * block != call.send) {
    transport.copy(call.send, output + rank * block, block);
  }
  for (std::size_t step = 1; step < ranks; step *= 2) {
    // Both hold `step` blocks that lie together; the partner's are the other half of twice as many.
    const std::size_t own = rank / step * step;
    const std::size_t other = own ^ step;
    const auto partner = static_cast<int>(rank ^ step);
    transport.group_begin();
    transport.send(output + own * block, count * step, call.datatype, partner);
    transport.recv(output + other * block, count * step, call.datatype, partner);
    transport.group_end();
  }
}

}  // namespace

const Collective& hypercube() {
  static constexpr Collective entry{
      .name = "hypercube",
      .size_meaning = "bytes gathered on each rank in all, its own block included",
      .factors = "algbw = S/t * (n-1)/n, busbw = algbw",
      .in_place_form = "the input is the rank's own block of the output",
      .limits = "a power of two ranks",
      .verb = "ncclSend and ncclRecv in a group for each of log2(n) steps, MPI_Sendrecv",
      .layout = gathered_layout,
      .alg_factor = alg_factor,
      .bus_factor = share_of_others,
      .why_not = why_not,
      .in_place = own_block_of_output,
      .expected = blocks_of_every_rank,
      .enqueue = enqueue,
  };
  return entry;
}

}  // namespace viaduct::collectives
