#pragma once
// A path: a named environment under test. The value only; rules and presets live in layer paths.

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

/// nccl: GPU memory, in workers. mpi: host memory, in the ranks. copy: CUDA copies between the GPUs
/// of a host, in one worker per host.
enum class Engine { nccl, mpi, copy };

constexpr Engine all_engines[] = {Engine::nccl, Engine::mpi, Engine::copy};

const char* name(Engine engine);

/// Throws Error(usage) with the names.
Engine engine_named(std::string_view text);

/// What evidence must show on a path (PathSpec::must, the key `must` of configs/paths.json):
///
///   key         value           the path is proven by
///   same_host   P2P             lines "via P2P/..." between the GPUs of one host
///               NVLS            the algorithm of each case; lines only say that it is set up
///               SHM             "via SHM/..." or "via direct shared memory"
///               NET ...         as below
///   other_host  P2P             between hosts of one NVLink domain (P2P/MNNVL)
///               NET             "via NET/...", with or without GPUDirect RDMA
///               NET/Socket      "via NET/Socket/..."
///               NET/GDRDMA      GPUDirect RDMA at both ends; sockets, which know none, are unknown
///               NET/no GDRDMA   no GPUDirect RDMA at either end
///   nvlink      none            NVLink counters that stand still
///
/// Every ordered pair with lines is judged by the key of its hosts; a pair whose key is missing is
/// reported, not judged. A path without any key is unjudged.
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

/// Whether evidence can prove or contradict the path.
inline bool is_judged(const PathSpec& path) {
  return !path.must.empty();
}

}  // namespace viaduct
