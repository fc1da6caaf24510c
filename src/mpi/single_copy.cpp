#include "core/error.hpp"
#include "mpi/communicator.hpp"
#include "mpi/mpi_control.hpp"
#include "mpi/mpi_lane.hpp"
#include "mpi/mpi_session.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/uio.h>
#include <unistd.h>

namespace viaduct {

namespace {

constexpr double deadline_s = 60;
constexpr std::size_t tried_bytes = 64;
using Bytes = std::array<unsigned char, tried_bytes>;

Bytes bytes_of_rank(int rank) {
  Bytes bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<unsigned char>(static_cast<std::size_t>(rank) * 31 + i + 1);
  }
  return bytes;
}

/// "pid address rank": the rank in the whole job, for the message.
struct Neighbour {
  int pid = 0;
  std::uintptr_t address = 0;
  int rank = 0;
};

std::string to_text(const Neighbour& neighbour) {
  return fmt::format("{} {} {}", neighbour.pid, neighbour.address, neighbour.rank);
}

Neighbour from_text(const std::string& text) {
  Neighbour neighbour;
  const char* const end = text.data() + text.size();
  const auto pid = std::from_chars(text.data(), end, neighbour.pid);
  const auto address = std::from_chars(pid.ptr + 1, end, neighbour.address);
  std::from_chars(address.ptr + 1, end, neighbour.rank);
  return neighbour;
}

/// What Yama, a module of the kernel that guards processes against each other, is set to.
std::string yama_setting() {
  std::ifstream file("/proc/sys/kernel/yama/ptrace_scope");
  std::string value;
  if (file >> value) {
    return "; /proc/sys/kernel/yama/ptrace_scope is " + value;
  }
  return "; no /proc/sys/kernel/yama/ptrace_scope here, so a container's seccomp rule or a missing "
         "CAP_SYS_PTRACE is the likely cause";
}

std::string why_not_readable(const Neighbour& neighbour, int own_rank) {
  Bytes read{};
  const iovec here{.iov_base = read.data(), .iov_len = read.size()};
  // The address belongs to the other process; here it is only a number.
  const iovec there{.iov_base = std::bit_cast<void*>(neighbour.address), .iov_len = read.size()};
  const ssize_t bytes = process_vm_readv(neighbour.pid, &here, 1, &there, 1, 0);
  if (bytes < 0) {
    const int error = errno;
    return fmt::format("rank {} cannot read the memory of rank {}: process_vm_readv: {}{}",
                       own_rank,
                       neighbour.rank,
                       std::strerror(error),
                       error == EPERM ? yama_setting() : "");
  }
  if (static_cast<std::size_t>(bytes) != read.size() || read != bytes_of_rank(neighbour.rank)) {
    return fmt::format(
        "rank {} reads other bytes than rank {} holds: the two see different process numbers",
        own_rank,
        neighbour.rank);
  }
  return "";
}

std::string why_not_on_host(MPI_Comm comm, int own_rank) {
  const Communicator host = Communicator::of_host(comm);
  const auto control = make_mpi_control(host.get(), nullptr);
  const Deadline deadline = Deadline::after(deadline_s);
  const Bytes own = bytes_of_rank(own_rank);
  const Neighbour self{
      static_cast<int>(getpid()), reinterpret_cast<std::uintptr_t>(own.data()), own_rank};
  const auto all = control->all_gather(to_text(self), deadline);
  const auto next = static_cast<std::size_t>((control->rank() + 1) % control->size());
  std::string reason;
  if (control->size() > 1) {
    reason = why_not_readable(from_text(all[next]), own_rank);
  }
  // `own` must live until its reader is done.
  control->barrier(deadline);
  return reason;
}

}  // namespace

std::string why_no_single_copy(MPI_Comm comm) {
  const auto control = make_mpi_control(comm, nullptr);
  const std::string own = why_not_on_host(comm, control->rank());
  for (const std::string& reason : control->all_gather(own, Deadline::after(deadline_s))) {
    if (!reason.empty()) {
      return reason;
    }
  }
  return "";
}

}  // namespace viaduct
