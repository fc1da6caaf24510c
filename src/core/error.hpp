#pragma once
// The one error type of the project: what kind, in words for a person, and where it was thrown.

#include <exception>
#include <string>
#include <utility>

namespace viaduct {

/// Position of a call, taken by a default argument. (std::source_location is not used: clang 14
/// with libstdc++ 12 refuses it.)
struct Where {
  const char* file = "";
  int line = 0;

  static constexpr Where here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return Where{file, line};
  }
};

enum class ErrorKind {
  internal,     ///< a fault of Viaduct itself
  io,           ///< a file that cannot be read or written, a full disk
  usage,        ///< a wrong option, value or plan
  refused,      ///< the launch is wrong: too few GPUs, two ranks on one GPU, ...
  lost,         ///< a worker died or did not answer in time
  mpi,          ///< MPI returned an error
  cuda,         ///< CUDA returned an error
  nccl,         ///< NCCL returned an error
  interrupted,  ///< SIGINT, SIGTERM or SIGHUP
};

const char* name(ErrorKind kind);

class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string message, Where where = Where::here())
      : kind_(kind),
        message_(std::move(message)),
        where_(where) {}

  [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }

  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

  [[nodiscard]] const std::string& message() const noexcept { return message_; }

  [[nodiscard]] const Where& where() const noexcept { return where_; }

 private:
  ErrorKind kind_;
  std::string message_;
  Where where_;
};

}  // namespace viaduct
