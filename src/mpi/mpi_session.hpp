#pragma once
// MPI_Init and MPI_Finalize as one object, and the check of return codes.

#include "core/error.hpp"

#include <mpi.h>

#include <string>

namespace viaduct {

/// Throws Error(mpi) with the call and MPI's own text of `code`.
[[noreturn]] void throw_mpi_error(int code, const char* call, Where where);

/// As throw_mpi_error() when `code` is not MPI_SUCCESS. Inline: it stands in loops that are timed.
inline void check(int code, const char* call, Where where = Where::here()) {
  if (code != MPI_SUCCESS) {
    throw_mpi_error(code, call, where);
  }
}

class MpiSession {
 public:
  /// Sets MPI_ERRORS_RETURN on MPI_COMM_WORLD. Waits `pause_s` seconds after MPI_Init before the
  /// first message.
  MpiSession(int& argc, char**& argv, double pause_s = 0);
  ~MpiSession();

  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  [[nodiscard]] int rank() const { return rank_; }

  [[nodiscard]] int size() const { return size_; }

  [[nodiscard]] int local_rank() const {
    return local_rank_;
  }  ///< from MPI_Comm_split_type(SHARED)

  [[nodiscard]] int local_size() const { return local_size_; }

  /// Lowest rank of this host: tells hosts of one name apart.
  [[nodiscard]] int first_of_host() const { return first_of_host_; }

  [[nodiscard]] static std::string library();

  /// Throws; the destructor does it silently when this was not called.
  void finalize();

 private:
  int rank_ = 0;
  int size_ = 1;
  int local_rank_ = 0;
  int local_size_ = 1;
  int first_of_host_ = 0;
};

}  // namespace viaduct
