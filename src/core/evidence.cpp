#include "core/evidence.hpp"

namespace viaduct {

const char* name(EvidenceState state) {
  switch (state) {
    case EvidenceState::proven:
      return "proven";
    case EvidenceState::contradicted:
      return "contradicted";
    case EvidenceState::unknown:
      break;
  }
  return "unknown";
}

}  // namespace viaduct
