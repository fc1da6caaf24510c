#include "mpi/communicator.hpp"

#include "mpi/mpi_session.hpp"
#include "mpi/patient_wait.hpp"

namespace viaduct {

Communicator::Communicator(MPI_Comm parent, Deadline deadline) {
  MPI_Comm duplicate = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Comm_idup(parent, &duplicate, &request), "MPI_Comm_idup");
  wait_patiently(request, deadline, nullptr, "the duplication of the communicator");
  comm_ = duplicate;
  take_facts();
}

Communicator::Communicator(MPI_Comm owned) : comm_(owned) {
  take_facts();
}

Communicator Communicator::of_host(MPI_Comm parent) {
  int rank = 0;
  check(MPI_Comm_rank(parent, &rank), "MPI_Comm_rank");
  MPI_Comm host = MPI_COMM_NULL;
  check(MPI_Comm_split_type(parent, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host),
        "MPI_Comm_split_type");
  return Communicator(host);
}

Communicator Communicator::of_group(MPI_Comm parent, const GroupMember& member) {
  MPI_Comm members = MPI_COMM_NULL;
  const int color = member.group.value_or(MPI_UNDEFINED);
  check(MPI_Comm_split(parent, color, member.rank, &members), "MPI_Comm_split");
  return Communicator(members);
}

Communicator::~Communicator() {
  int is_finalized = 0;
  MPI_Finalized(&is_finalized);
  if (comm_ != MPI_COMM_NULL && is_finalized == 0) {
    MPI_Comm_free(&comm_);
  }
}

void Communicator::take_facts() {
  if (comm_ == MPI_COMM_NULL) {
    size_ = 0;
    return;
  }
  check(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(comm_, &size_), "MPI_Comm_size");
}

}  // namespace viaduct
