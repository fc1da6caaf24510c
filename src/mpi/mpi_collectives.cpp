// The verbs of MpiTransport that all ranks take part in, each one call of MPI where its arguments
// can hold the counts.

#include "core/error.hpp"
#include "mpi/counted_type.hpp"
#include "mpi/mpi_session.hpp"
#include "mpi/mpi_transport.hpp"
#include "mpi/mpi_types.hpp"
#include "transport/grouped.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace viaduct {

namespace {

const unsigned char* advance(const void* at, std::size_t bytes) {
  return static_cast<const unsigned char*>(at) + bytes;
}

unsigned char* advance(void* at, std::size_t bytes) {
  return static_cast<unsigned char*>(at) + bytes;
}

/// Reductions take no derived datatypes: call(first, count) for one part after the other, once for
/// a count of zero.
template <typename Call>
void in_parts(std::size_t count, std::size_t largest, const Call& call) {
  std::size_t done = 0;
  do {
    const std::size_t part = std::min(largest, count - done);
    call(done, static_cast<int>(part));
    done += part;
  } while (done < count);
}

/// `taken` becomes the values as MPI takes them; its memory is kept from call to call.
const int* as_int(std::span<const std::uint64_t> values, std::vector<int>& taken) {
  taken.resize(values.size());
  std::ranges::transform(
      values, taken.begin(), [](std::uint64_t value) { return static_cast<int>(value); });
  return taken.data();
}

}  // namespace

CountedBlock MpiTransport::rank_block(std::size_t count, Datatype type) const {
  return CountedBlock(count, moved_type(type), largest_, static_cast<std::size_t>(size_));
}

void MpiTransport::all_reduce(
    const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op) {
  in_parts(count, largest_, [&](std::size_t first, int part) {
    const std::size_t start = first * element_bytes(type);
    const void* input = send == recv ? MPI_IN_PLACE : advance(send, start);
    check(MPI_Allreduce(input, advance(recv, start), part, reduced_type(type), mpi_op(op), comm_),
          "MPI_Allreduce");
  });
}

void MpiTransport::all_gather(const void* send, void* recv, std::size_t count, Datatype type) {
  const void* own = advance(recv, block_start(count, type, rank_));
  const void* input = send == own ? MPI_IN_PLACE : send;
  const CountedBlock block = rank_block(count, type);
  check(MPI_Allgather(input, block.count(), block.type(), recv, block.count(), block.type(), comm_),
        "MPI_Allgather");
}

void MpiTransport::reduce_scatter(
    const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op) {
  if (count > largest_ / static_cast<std::size_t>(size_)) {
    for (int root = 0; root < size_; ++root) {
      reduce(advance(send, block_start(count, type, root)), recv, count, type, op, root);
    }
    return;
  }
  const int n = static_cast<int>(count);
  MPI_Datatype element = reduced_type(type);
  const std::size_t own = block_start(count, type, rank_);
  if (recv != advance(send, own)) {
    check(MPI_Reduce_scatter_block(send, recv, n, element, mpi_op(op), comm_),
          "MPI_Reduce_scatter_block");
    return;
  }
  // In place MPI leaves the result at the start of the input, not where this rank's block was.
  unsigned char* const start = static_cast<unsigned char*>(recv) - own;
  check(MPI_Reduce_scatter_block(MPI_IN_PLACE, start, n, element, mpi_op(op), comm_),
        "MPI_Reduce_scatter_block");
  if (own != 0) {
    std::memcpy(recv, start, count * element_bytes(type));
  }
}

void MpiTransport::broadcast(
    const void* send, void* recv, std::size_t count, Datatype type, int root) {
  if (rank_ == root && send != recv) {
    copy(send, recv, count * element_bytes(type));
  }
  const CountedBlock block(count, moved_type(type), largest_);
  check(MPI_Bcast(recv, block.count(), block.type(), root, comm_), "MPI_Bcast");
}

void MpiTransport::reduce(
    const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op, int root) {
  const bool is_root = rank_ == root;
  in_parts(count, largest_, [&](std::size_t first, int part) {
    const std::size_t start = first * element_bytes(type);
    const void* input = is_root && send == recv ? MPI_IN_PLACE : advance(send, start);
    void* output = is_root ? advance(recv, start) : nullptr;
    check(MPI_Reduce(input, output, part, reduced_type(type), mpi_op(op), root, comm_),
          "MPI_Reduce");
  });
}

void MpiTransport::gather(
    const void* send, void* recv, std::size_t count, Datatype type, int root) {
  const bool is_in_place = rank_ == root && send == advance(recv, block_start(count, type, root));
  const CountedBlock block = rank_block(count, type);
  check(MPI_Gather(is_in_place ? MPI_IN_PLACE : send,
                   block.count(),
                   block.type(),
                   recv,
                   block.count(),
                   block.type(),
                   root,
                   comm_),
        "MPI_Gather");
}

void MpiTransport::scatter(
    const void* send, void* recv, std::size_t count, Datatype type, int root) {
  const bool is_in_place = rank_ == root && recv == advance(send, block_start(count, type, root));
  const CountedBlock block = rank_block(count, type);
  check(MPI_Scatter(send,
                    block.count(),
                    block.type(),
                    is_in_place ? MPI_IN_PLACE : recv,
                    block.count(),
                    block.type(),
                    root,
                    comm_),
        "MPI_Scatter");
}

void MpiTransport::alltoall(const void* send, void* recv, std::size_t count, Datatype type) {
  const CountedBlock block = rank_block(count, type);
  check(MPI_Alltoall(send == recv ? MPI_IN_PLACE : send,
                     block.count(),
                     block.type(),
                     recv,
                     block.count(),
                     block.type(),
                     comm_),
        "MPI_Alltoall");
}

void MpiTransport::alltoallv(const void* send,
                             void* recv,
                             const ExchangeBlocks& blocks,
                             Datatype type) {
  if (blocks.most_elements > largest_) {
    grouped::alltoallv(*this, send, recv, blocks, type);
    return;
  }
  check(MPI_Alltoallv(send,
                      as_int(blocks.send_counts, exchanged_[0]),
                      as_int(blocks.send_offsets, exchanged_[1]),
                      moved_type(type),
                      recv,
                      as_int(blocks.recv_counts, exchanged_[2]),
                      as_int(blocks.recv_offsets, exchanged_[3]),
                      moved_type(type),
                      comm_),
        "MPI_Alltoallv");
}

void MpiTransport::barrier() {
  check(MPI_Barrier(comm_), "MPI_Barrier");
}

void MpiTransport::copy(const void* from, void* to, std::size_t bytes) {
  if (bytes != 0) {
    std::memcpy(to, from, bytes);
  }
}

}  // namespace viaduct
