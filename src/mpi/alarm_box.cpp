#include "mpi/alarm_box.hpp"

#include "mpi/mpi_session.hpp"

namespace viaduct {

namespace {

constexpr int alarm_tag = 7;

}  // namespace

AlarmBox::AlarmBox(MPI_Comm comm, int rank, int size) : comm_(comm), rank_(rank), size_(size) {}

AlarmBox::~AlarmBox() {
  int is_finalized = 0;
  MPI_Finalized(&is_finalized);
  if (is_finalized != 0) {
    return;
  }
  for (Sent& sent : sent_) {
    int is_done = 0;
    if (MPI_Test(&sent.request, &is_done, MPI_STATUS_IGNORE) == MPI_SUCCESS && is_done == 0) {
      MPI_Cancel(&sent.request);
      MPI_Request_free(&sent.request);
    }
  }
}

void AlarmBox::raise(std::uint64_t step) {
  forget_finished_sends();
  for (int peer = 0; peer < size_; ++peer) {
    if (peer == rank_) {
      continue;
    }
    Sent& sent = sent_.emplace_back();
    sent.step = step;
    check(MPI_Isend(&sent.step, 1, MPI_UINT64_T, peer, alarm_tag, comm_, &sent.request),
          "MPI_Isend");
  }
}

bool AlarmBox::is_raised(std::uint64_t step) {
  forget_finished_sends();
  receive_all();
  raised_.erase(raised_.begin(), raised_.lower_bound(step));
  return raised_.contains(step);
}

void AlarmBox::receive_all() {
  while (true) {
    int is_there = 0;
    MPI_Status status;
    check(MPI_Iprobe(MPI_ANY_SOURCE, alarm_tag, comm_, &is_there, &status), "MPI_Iprobe");
    if (is_there == 0) {
      return;
    }
    std::uint64_t step = 0;
    check(MPI_Recv(&step, 1, MPI_UINT64_T, status.MPI_SOURCE, alarm_tag, comm_, MPI_STATUS_IGNORE),
          "MPI_Recv");
    raised_.insert(step);
  }
}

void AlarmBox::forget_finished_sends() {
  for (auto sent = sent_.begin(); sent != sent_.end();) {
    int is_done = 0;
    check(MPI_Test(&sent->request, &is_done, MPI_STATUS_IGNORE), "MPI_Test");
    sent = is_done != 0 ? sent_.erase(sent) : std::next(sent);
  }
}

}  // namespace viaduct
