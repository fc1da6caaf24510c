#include "staged/task_server.hpp"

#include "core/error.hpp"
#include "mpi/mpi_session.hpp"
#include "mpi/mpi_types.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace viaduct {

namespace {

using staging::Task;
using staging::TaskKind;

constexpr int data_tag = 0;

std::string text_of(const Task& task) {
  switch (task.kind) {
    case TaskKind::send:
      return fmt::format("send of {} bytes to rank {}", task.count, task.peer);
    case TaskKind::receive:
      return fmt::format("receive of {} bytes from rank {}", task.count, task.peer);
    case TaskKind::barrier:
      return "barrier of all ranks";
    default:
      break;
  }
  return fmt::format("{} of {} {} among all ranks",
                     staging::name(task.kind),
                     task.count,
                     staging::reduces(task.kind) ? name(task.type) : "bytes");
}

/// Bytes of the slot that the call touches.
std::uint64_t touched_bytes(const Task& task, int ranks) {
  const std::uint64_t unit = staging::reduces(task.kind) ? element_bytes(task.type) : 1;
  const std::uint64_t blocks =
      staging::has_blocks(task.kind) ? static_cast<std::uint64_t>(ranks) : 1;
  return task.count * unit * blocks;
}

}  // namespace

TaskServer::TaskServer(const staging::SharedBlock& block, MPI_Comm comm)
    : block_(block),
      comm_(comm),
      reader_(block) {
  check(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(comm_, &ranks_), "MPI_Comm_size");
  requests_.reserve(staging::slot_count);
  tasks_.reserve(staging::slot_count);
  ended_.resize(staging::slot_count);
}

bool TaskServer::serve() {
  bool has_moved = false;
  while (const auto numbered = reader_.next()) {
    start(*numbered);
    has_moved = true;
  }
  return end_finished() || has_moved;
}

void TaskServer::start(const staging::NumberedTask& numbered) {
  const Task& task = numbered.task;
  expect_sense(task);
  MPI_Request request = MPI_REQUEST_NULL;
  if (task.kind == TaskKind::send || task.kind == TaskKind::receive) {
    start_message(task, request);
  } else if (staging::reduces(task.kind)) {
    start_reduction(task, request);
  } else {
    start_collective(task, request);
  }
  requests_.push_back(request);
  tasks_.push_back(numbered);
}

/// The memory is shared with a process that may have gone wrong.
void TaskServer::expect_sense(const Task& task) const {
  const bool fits = task.kind <= staging::last_task_kind && task.slot < staging::slot_count &&
                    task.peer >= 0 && task.peer < ranks_ && task.count <= staging::slot_bytes &&
                    requests_.size() < staging::slot_count;
  const bool is_whole = fits && touched_bytes(task, ranks_) <= staging::slot_bytes;
  const bool can_reduce =
      is_whole && (!staging::reduces(task.kind) || why_not_reduce(task.type, task.op).empty());
  if (!can_reduce) {
    throw Error(ErrorKind::lost,
                fmt::format("the worker of path staged asked for a task that makes no sense: kind "
                            "{}, slot {}, peer {}, count {}",
                            static_cast<unsigned>(task.kind),
                            task.slot,
                            task.peer,
                            task.count));
  }
}

void TaskServer::start_message(const Task& task, MPI_Request& request) const {
  unsigned char* const slot = block_.slot(task.slot);
  const int bytes = static_cast<int>(task.count);
  if (task.kind == TaskKind::send) {
    check(MPI_Isend(slot, bytes, MPI_BYTE, task.peer, data_tag, comm_, &request), "MPI_Isend");
  } else {
    check(MPI_Irecv(slot, bytes, MPI_BYTE, task.peer, data_tag, comm_, &request), "MPI_Irecv");
  }
}

void TaskServer::start_collective(const Task& task, MPI_Request& request) const {
  unsigned char* const slot = block_.slot(task.slot);
  const int bytes = static_cast<int>(task.count);
  if (task.kind == TaskKind::all_gather) {
    check(
        MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, slot, bytes, MPI_BYTE, comm_, &request),
        "MPI_Iallgather");
  } else if (task.kind == TaskKind::broadcast) {
    check(MPI_Ibcast(slot, bytes, MPI_BYTE, task.peer, comm_, &request), "MPI_Ibcast");
  } else {
    check(MPI_Ibarrier(comm_, &request), "MPI_Ibarrier");
  }
}

void TaskServer::start_reduction(const Task& task, MPI_Request& request) const {
  unsigned char* const slot = block_.slot(task.slot);
  const int count = static_cast<int>(task.count);
  MPI_Datatype type = reduced_type(task.type);
  MPI_Op op = mpi_op(task.op);
  if (task.kind == TaskKind::all_reduce) {
    check(MPI_Iallreduce(MPI_IN_PLACE, slot, count, type, op, comm_, &request), "MPI_Iallreduce");
  } else if (task.kind == TaskKind::reduce_scatter) {
    check(MPI_Ireduce_scatter_block(MPI_IN_PLACE, slot, count, type, op, comm_, &request),
          "MPI_Ireduce_scatter_block");
  } else {
    const bool is_root = task.peer == rank_;
    const void* input = is_root ? MPI_IN_PLACE : slot;
    void* output = is_root ? slot : nullptr;
    check(MPI_Ireduce(input, output, count, type, op, task.peer, comm_, &request), "MPI_Ireduce");
  }
}

bool TaskServer::end_finished() {
  if (requests_.empty()) {
    return false;
  }
  int count = 0;
  check(MPI_Testsome(static_cast<int>(requests_.size()),
                     requests_.data(),
                     &count,
                     ended_.data(),
                     MPI_STATUSES_IGNORE),
        "MPI_Testsome");
  if (count <= 0) {
    return false;
  }
  for (int i = 0; i < count; ++i) {
    const auto place = static_cast<std::size_t>(ended_[static_cast<std::size_t>(i)]);
    reader_.finish(tasks_[place].task.slot, tasks_[place].number);
  }
  forget_ended();
  return true;
}

/// MPI has set the requests that ended to MPI_REQUEST_NULL.
void TaskServer::forget_ended() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (requests_[i] != MPI_REQUEST_NULL) {
      requests_[kept] = requests_[i];
      tasks_[kept] = tasks_[i];
      ++kept;
    }
  }
  requests_.resize(kept);
  tasks_.resize(kept);
}

std::string TaskServer::waiting_for() const {
  if (tasks_.empty()) {
    return "";
  }
  const std::string first = text_of(tasks_.front().task);
  return tasks_.size() == 1 ? first : fmt::format("{} and {} more", first, tasks_.size() - 1);
}

bool TaskServer::give_up() noexcept {
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (tasks_[i].task.kind == TaskKind::receive && MPI_Cancel(&requests_[i]) == MPI_SUCCESS) {
      int is_done = 0;
      MPI_Test(&requests_[i], &is_done, MPI_STATUS_IGNORE);
    }
  }
  forget_ended();
  return requests_.empty();
}

}  // namespace viaduct
