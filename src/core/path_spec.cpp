#include "core/path_spec.hpp"

#include "core/name_table.hpp"

namespace viaduct {
namespace {

constexpr Named<Engine> engines[] = {
    {Engine::nccl, "nccl"},
    {Engine::mpi, "mpi"},
    {Engine::copy, "copy"},
};

}  // namespace

const char* name(Engine engine) {
  return name_in(engines, engine);
}

Engine engine_named(std::string_view text) {
  return value_in<Engine>(engines, "engine", text);
}

}  // namespace viaduct
