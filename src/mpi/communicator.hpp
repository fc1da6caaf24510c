#pragma once
// An own duplicate of a communicator, freed with the object.

#include "core/deadline.hpp"

#include <mpi.h>

#include <optional>
#include <utility>

namespace viaduct {

/// A rank's place in the splitting of a communicator.
struct GroupMember {
  std::optional<int> group;  ///< empty: in none of them
  int rank = 0;              ///< its order within the group
};

class Communicator {
 public:
  /// Collective over `parent`; errors are returned as codes. Throws Error(lost) when the others do
  /// not come in time.
  Communicator(MPI_Comm parent, Deadline deadline);

  /// The ranks of `parent` on this host, as a communicator. Collective over `parent`.
  static Communicator of_host(MPI_Comm parent);

  /// Those of `parent` with the same group, in the order that they name; of no rank for a member of
  /// none. Collective over `parent`; blocks until all have come.
  static Communicator of_group(MPI_Comm parent, const GroupMember& member);

  ~Communicator();

  Communicator(Communicator&& other) noexcept
      : comm_(std::exchange(other.comm_, MPI_COMM_NULL)),
        rank_(other.rank_),
        size_(other.size_) {}

  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  Communicator& operator=(Communicator&&) = delete;

  [[nodiscard]] MPI_Comm get() const { return comm_; }

  [[nodiscard]] int rank() const { return rank_; }

  [[nodiscard]] int size() const { return size_; }

  /// Leaves it to MPI_Finalize: an operation on it is still under way, so it must not be freed.
  void abandon() { comm_ = MPI_COMM_NULL; }

 private:
  explicit Communicator(MPI_Comm owned);
  void take_facts();

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace viaduct
