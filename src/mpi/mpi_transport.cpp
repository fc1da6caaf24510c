#include "mpi/mpi_transport.hpp"

#include "core/error.hpp"
#include "mpi/counted_type.hpp"
#include "mpi/mpi_session.hpp"
#include "mpi/mpi_types.hpp"

#include <algorithm>

namespace viaduct {

namespace {

constexpr int data_tag = 0;

/// Operations of this list reduce; all others only move bytes, which MPI does for any type.
bool reduces(const std::string& operation) {
  return operation == "all_reduce";
}

const unsigned char* advance(const void* at, std::size_t bytes) {
  return static_cast<const unsigned char*>(at) + bytes;
}

unsigned char* advance(void* at, std::size_t bytes) {
  return static_cast<unsigned char*>(at) + bytes;
}

}  // namespace

MpiTransport::MpiTransport(MPI_Comm comm, std::size_t largest) : comm_(comm), largest_(largest) {
  check(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(comm_, &size_), "MPI_Comm_size");
}

std::string MpiTransport::why_not(const Case& c) const {
  return reduces(c.operation) ? why_not_reduce(c.datatype, c.reduction) : "";
}

void MpiTransport::all_reduce(
    const void* send, void* recv, std::size_t count, Datatype type, ReduceOp op) {
  MPI_Datatype mpi_type = reduced_type(type);
  MPI_Op operation = mpi_op(op);
  const bool in_place = send == recv;
  if (count <= largest_) {
    check(MPI_Allreduce(in_place ? MPI_IN_PLACE : send,
                        recv,
                        static_cast<int>(count),
                        mpi_type,
                        operation,
                        comm_),
          "MPI_Allreduce");
    return;
  }
  // Reductions take no derived datatypes.
  for (std::size_t done = 0; done < count; done += largest_) {
    const std::size_t bytes = done * element_bytes(type);
    check(MPI_Allreduce(in_place ? MPI_IN_PLACE : advance(send, bytes),
                        advance(recv, bytes),
                        static_cast<int>(std::min(largest_, count - done)),
                        mpi_type,
                        operation,
                        comm_),
          "MPI_Allreduce");
  }
}

void MpiTransport::all_gather(const void* send, void* recv, std::size_t count, Datatype type) {
  const auto own = count * element_bytes(type) * static_cast<std::size_t>(rank_);
  const void* input = send == advance(recv, own) ? MPI_IN_PLACE : send;
  if (count <= largest_) {
    const int n = static_cast<int>(count);
    check(MPI_Allgather(input, n, moved_type(type), recv, n, moved_type(type), comm_),
          "MPI_Allgather");
    return;
  }
  const CountedType block(count, moved_type(type), largest_);
  check(MPI_Allgather(input, 1, block.get(), recv, 1, block.get(), comm_), "MPI_Allgather");
}

void MpiTransport::group_begin() {
  if (group_depth_++ == 0) {
    sends_.clear();
    receives_.clear();
  }
}

void MpiTransport::group_end() {
  if (group_depth_ == 0) {
    throw Error(ErrorKind::internal, "group_end() without group_begin()");
  }
  if (--group_depth_ > 0) {
    return;
  }
  if (sends_.size() == 1 && receives_.size() == 1) {
    exchange(sends_.front(), receives_.front());
  } else {
    run_group();
  }
}

void MpiTransport::send(const void* buffer, std::size_t count, Datatype type, int peer) {
  if (group_depth_ == 0 && count <= largest_) {
    const int n = static_cast<int>(count);
    check(MPI_Send(buffer, n, moved_type(type), peer, data_tag, comm_), "MPI_Send");
    return;
  }
  group_begin();
  // MPI only reads it, but one record serves both directions.
  sends_.push_back(Message{const_cast<void*>(buffer), count, type, peer});
  group_end();
}

void MpiTransport::recv(void* buffer, std::size_t count, Datatype type, int peer) {
  if (group_depth_ == 0 && count <= largest_) {
    const int n = static_cast<int>(count);
    check(MPI_Recv(buffer, n, moved_type(type), peer, data_tag, comm_, MPI_STATUS_IGNORE),
          "MPI_Recv");
    return;
  }
  group_begin();
  receives_.push_back(Message{buffer, count, type, peer});
  group_end();
}

/// One message each way is what MPI_Sendrecv is made for: no requests to keep.
void MpiTransport::exchange(const Message& sent, const Message& received) {
  if (sent.count > largest_ || received.count > largest_) {
    run_group();
    return;
  }
  check(MPI_Sendrecv(sent.buffer,
                     static_cast<int>(sent.count),
                     moved_type(sent.type),
                     sent.peer,
                     data_tag,
                     received.buffer,
                     static_cast<int>(received.count),
                     moved_type(received.type),
                     received.peer,
                     data_tag,
                     comm_,
                     MPI_STATUS_IGNORE),
        "MPI_Sendrecv");
}

void MpiTransport::run_group() {
  requests_.clear();
  // Receives first: what arrives then finds its place at once.
  for (const Message& message : receives_) {
    start_receive(message);
  }
  for (const Message& message : sends_) {
    start_send(message);
  }
  check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
}

void MpiTransport::start_receive(const Message& message) {
  MPI_Request& request = requests_.emplace_back(MPI_REQUEST_NULL);
  MPI_Datatype type = moved_type(message.type);
  if (message.count <= largest_) {
    const int count = static_cast<int>(message.count);
    check(MPI_Irecv(message.buffer, count, type, message.peer, data_tag, comm_, &request),
          "MPI_Irecv");
    return;
  }
  // MPI keeps the type until the message is done, whether or not it has been freed.
  const CountedType block(message.count, type, largest_);
  check(MPI_Irecv(message.buffer, 1, block.get(), message.peer, data_tag, comm_, &request),
        "MPI_Irecv");
}

void MpiTransport::start_send(const Message& message) {
  MPI_Request& request = requests_.emplace_back(MPI_REQUEST_NULL);
  MPI_Datatype type = moved_type(message.type);
  if (message.count <= largest_) {
    const int count = static_cast<int>(message.count);
    check(MPI_Isend(message.buffer, count, type, message.peer, data_tag, comm_, &request),
          "MPI_Isend");
    return;
  }
  const CountedType block(message.count, type, largest_);
  check(MPI_Isend(message.buffer, 1, block.get(), message.peer, data_tag, comm_, &request),
        "MPI_Isend");
}

}  // namespace viaduct
