#include "mpi/roll_call.hpp"

#include "mpi/mpi_session.hpp"
#include "mpi/patient_wait.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

namespace viaduct {

namespace {

constexpr int roll_call_tag = 9;
constexpr std::size_t name_length = 64;
constexpr std::size_t most_named = 8;
constexpr auto pause = std::chrono::milliseconds(2);

std::array<char, name_length> own_host() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> full{};
  int length = 0;
  check(MPI_Get_processor_name(full.data(), &length), "MPI_Get_processor_name");
  std::array<char, name_length> name{};
  std::copy_n(full.begin(), name_length - 1, name.begin());
  return name;
}

/// Marks the ranks that have spoken; false when MPI fails.
bool hear_all(MPI_Comm comm, std::vector<bool>& is_here) {
  while (true) {
    int is_there = 0;
    MPI_Status status;
    if (MPI_Iprobe(MPI_ANY_SOURCE, roll_call_tag, comm, &is_there, &status) != MPI_SUCCESS) {
      return false;
    }
    if (is_there == 0) {
      return true;
    }
    char word = 0;
    if (MPI_Recv(&word, 1, MPI_CHAR, status.MPI_SOURCE, roll_call_tag, comm, MPI_STATUS_IGNORE) !=
        MPI_SUCCESS) {
      return false;
    }
    is_here[static_cast<std::size_t>(status.MPI_SOURCE)] = true;
  }
}

}  // namespace

RollCall::RollCall(MPI_Comm comm, int rank, int size, Deadline deadline)
    : comm_(comm),
      rank_(rank),
      size_(size) {
  const std::array<char, name_length> own = own_host();
  hosts_.resize(rank == 0 ? name_length * static_cast<std::size_t>(size) : 0);
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Igather(own.data(),
                    static_cast<int>(name_length),
                    MPI_CHAR,
                    hosts_.data(),
                    static_cast<int>(name_length),
                    MPI_CHAR,
                    0,
                    comm,
                    &request),
        "MPI_Igather");
  wait_patiently(request, deadline, nullptr, "an exchange of host names");
}

std::string RollCall::host_of(int rank) const {
  return hosts_.data() + static_cast<std::size_t>(rank) * name_length;
}

/// Stays until the end, so that this process is there while the message goes out.
void RollCall::say_here(Deadline deadline) const {
  static constexpr char word = 1;
  MPI_Request request = MPI_REQUEST_NULL;
  if (MPI_Isend(&word, 1, MPI_CHAR, 0, roll_call_tag, comm_, &request) != MPI_SUCCESS) {
    return;
  }
  int is_done = 0;
  while (!deadline.has_passed()) {
    if (is_done == 0 && MPI_Test(&request, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
      return;
    }
    std::this_thread::sleep_for(pause);
  }
}

std::string RollCall::silent_ranks(double limit_s) {
  const Deadline deadline = Deadline::after(limit_s);
  if (rank_ != 0) {
    say_here(deadline);
    return "";
  }
  std::vector<bool> is_here(static_cast<std::size_t>(size_), false);
  is_here[0] = true;
  const auto is_missing = [&is_here] {
    return std::find(is_here.begin(), is_here.end(), false) != is_here.end();
  };
  while (is_missing() && !deadline.has_passed() && hear_all(comm_, is_here)) {
    std::this_thread::sleep_for(pause);
  }
  std::vector<std::string> silent;
  for (int rank = 0; rank < size_; ++rank) {
    if (!is_here[static_cast<std::size_t>(rank)]) {
      silent.push_back(fmt::format("rank {} on {}", rank, host_of(rank)));
    }
  }
  if (silent.empty()) {
    return "";
  }
  const std::size_t more = silent.size() - std::min(silent.size(), most_named);
  silent.resize(std::min(silent.size(), most_named));
  return fmt::format("; no sign of {}{}",
                     fmt::join(silent, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

}  // namespace viaduct
