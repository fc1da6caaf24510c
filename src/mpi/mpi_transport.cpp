#include "mpi/mpi_transport.hpp"

#include "core/error.hpp"
#include "mpi/mpi_session.hpp"
#include "mpi/mpi_types.hpp"

namespace viaduct {

namespace {

constexpr int data_tag = 0;

}  // namespace

MpiTransport::MpiTransport(MPI_Comm comm, std::size_t largest) : comm_(comm), largest_(largest) {
  check(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(comm_, &size_), "MPI_Comm_size");
  for (const Datatype type : all_datatypes()) {
    moved_.at(static_cast<std::size_t>(type)) = moved_type(type);
  }
}

/// Operations that do not reduce only move bytes, which MPI does for any type.
std::string MpiTransport::why_not(const Case& c, bool reduces) const {
  return reduces ? why_not_reduce(c.datatype, c.reduction) : "";
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
    check(MPI_Send(buffer, n, moved(type), peer, data_tag, comm_), "MPI_Send");
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
    check(MPI_Recv(buffer, n, moved(type), peer, data_tag, comm_, MPI_STATUS_IGNORE), "MPI_Recv");
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
                     moved(sent.type),
                     sent.peer,
                     data_tag,
                     received.buffer,
                     static_cast<int>(received.count),
                     moved(received.type),
                     received.peer,
                     data_tag,
                     comm_,
                     MPI_STATUS_IGNORE),
        "MPI_Sendrecv");
}

void MpiTransport::run_group() {
  requests_.assign(receives_.size() + sends_.size(), MPI_REQUEST_NULL);
  MPI_Request* request = requests_.data();
  // Receives first: what arrives then finds its place at once.
  for (const Message& message : receives_) {
    start_receive(message, request++);
  }
  for (const Message& message : sends_) {
    start_send(message, request++);
  }
  check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");
}

void MpiTransport::start_receive(const Message& message, MPI_Request* request) {
  const CountedBlock block(message.count, moved(message.type), largest_);
  check(MPI_Irecv(
            message.buffer, block.count(), block.type(), message.peer, data_tag, comm_, request),
        "MPI_Irecv");
}

void MpiTransport::start_send(const Message& message, MPI_Request* request) {
  const CountedBlock block(message.count, moved(message.type), largest_);
  check(MPI_Isend(
            message.buffer, block.count(), block.type(), message.peer, data_tag, comm_, request),
        "MPI_Isend");
}

}  // namespace viaduct
