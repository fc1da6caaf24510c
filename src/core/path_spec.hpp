#pragma once
// A path: a named environment under test. The value only; rules and presets live in layer paths.

#include <map>
#include <string>
#include <vector>

namespace viaduct {

enum class Engine { nccl, mpi };

const char* name(Engine engine);

struct PathSpec {
  std::string name;
  Engine engine = Engine::nccl;
  std::string summary;                ///< one sentence for `viaduct list paths`
  bool clears_path_variables = true;  ///< unset every inherited variable that chooses a path first
  std::map<std::string, std::string> set;  ///< variables of this path
  std::vector<std::string> unset;          ///< unset besides
  std::map<std::string, std::string>
      must;               ///< what evidence must show: "same_host" -> "P2P", ...; may be empty
  bool is_preset = true;  ///< false: made on the command line or in a user's file
};

}  // namespace viaduct
