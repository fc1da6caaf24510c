#pragma once
// The path of the nccl engine that uses no NCCL: through page-locked host memory and MPI. Its name
// in a path's environment, and nothing of how it works.

#include "core/path_spec.hpp"

#include <string_view>

namespace viaduct {

/// The variable of a path that says what carries its bytes between GPUs.
constexpr const char* transport_variable = "VIADUCT_TRANSPORT";

/// NCCL, as without the variable.
constexpr std::string_view nccl_transport_word = "nccl";

/// GPU to page-locked host memory, MPI between the ranks, host memory to GPU.
constexpr std::string_view staged_transport_word = "staged";

inline bool is_staged(const PathSpec& path) {
  const auto word = path.set.find(transport_variable);
  return path.engine == Engine::nccl && word != path.set.end() &&
         word->second == staged_transport_word;
}

}  // namespace viaduct
