#pragma once
// Whether two sides were measured alike: what differs, what is not known, and what a person
// allowed.

#include "compare/compared_side.hpp"

#include <string>
#include <vector>

namespace viaduct {

struct ConfigurationCheck {
  std::vector<std::string> refused;  ///< "ranks: 2 and 4", neither equal nor allowed
  std::vector<std::string> allowed;  ///< unequal, and compared all the same
  std::vector<std::string> unknown;  ///< "ranks": one side or both do not say
};

/// The words of --allow: hosts, gpus, nccl, method, buffers. Unequal ranks and engines are never
/// compared.
std::vector<std::string> allowable_words();

/// Throws Error(usage) for a word that cannot be allowed.
ConfigurationCheck check_configuration(const SideConfiguration& a,
                                       const SideConfiguration& b,
                                       const std::vector<std::string>& allowed);

}  // namespace viaduct
