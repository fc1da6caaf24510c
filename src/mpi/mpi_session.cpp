#include "mpi/mpi_session.hpp"

#include "mpi/mpi_lane.hpp"

#include <fmt/format.h>

#include <chrono>
#include <string_view>
#include <thread>

namespace viaduct {

namespace {

std::string error_text(int code) {
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) {
    return fmt::format("error {}", code);
  }
  text.resize(static_cast<std::size_t>(length));
  return text;
}

bool is_finalized() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  return finalized != 0;
}

/// "Open MPI v4.1.4, package: ..." -> "Open MPI 4.1.4"; other libraries: their first line as it is.
std::string short_version(std::string_view text) {
  const std::string_view first = text.substr(0, text.find_first_of(",\n"));
  std::string version(first);
  if (const auto at = version.find(" v"); at != std::string::npos) {
    version.erase(at + 1, 1);
  }
  return version;
}

}  // namespace

void throw_mpi_error(int code, const char* call, Where where) {
  throw Error(ErrorKind::mpi, fmt::format("{} failed: {}", call, error_text(code)), where);
}

MpiSession::MpiSession(int& argc, char**& argv, double pause_s) {
  // Not MPI_Init_thread: at MPI_THREAD_FUNNELED Open MPI 4.1 takes 0.1 us more for an operation of
  // 0.5 us (8 bytes between two processes). The watching threads of this program never call MPI.
  check(MPI_Init(&argc, &argv), "MPI_Init");
  std::this_thread::sleep_for(std::chrono::duration<double>(pause_s));
  check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(MPI_COMM_WORLD, &size_), "MPI_Comm_size");
  MPI_Comm host = MPI_COMM_NULL;
  check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host),
        "MPI_Comm_split_type");
  MPI_Comm_rank(host, &local_rank_);
  MPI_Comm_size(host, &local_size_);
  first_of_host_ = rank_;
  check(MPI_Bcast(&first_of_host_, 1, MPI_INT, 0, host), "MPI_Bcast");
  MPI_Comm_free(&host);
}

MpiSession::~MpiSession() {
  if (!is_finalized()) {
    MPI_Finalize();
  }
}

std::string MpiSession::library() {
  return mpi_library_version();
}

void MpiSession::finalize() {
  if (!is_finalized()) {
    check(MPI_Finalize(), "MPI_Finalize");
  }
}

std::string mpi_library_version() {
  std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
  int length = 0;
  check(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  text.resize(static_cast<std::size_t>(length));
  return short_version(text);
}

}  // namespace viaduct
