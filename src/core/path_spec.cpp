#include "core/path_spec.hpp"

#include "core/name_table.hpp"

namespace viaduct {
namespace {

constexpr Named<Engine> engines[] = {
    {Engine::nccl, "nccl"},
    {Engine::mpi, "mpi"},
};

}  // namespace

const char* name(Engine engine) {
  return name_in(engines, engine);
}

}  // namespace viaduct
