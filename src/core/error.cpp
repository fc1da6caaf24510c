#include "core/error.hpp"

#include "core/name_table.hpp"

namespace viaduct {
namespace {

constexpr Named<ErrorKind> kinds[] = {
    {ErrorKind::internal, "internal"},
    {ErrorKind::io, "io"},
    {ErrorKind::usage, "usage"},
    {ErrorKind::refused, "refused"},
    {ErrorKind::lost, "lost"},
    {ErrorKind::mpi, "mpi"},
    {ErrorKind::cuda, "cuda"},
    {ErrorKind::nccl, "nccl"},
    {ErrorKind::interrupted, "interrupted"},
};

}  // namespace

const char* name(ErrorKind kind) {
  return name_in(kinds, kind);
}

}  // namespace viaduct
