#pragma once
// A case: one operation with its size, datatype, reduction, root, placement and mode of timing.

#include "core/datatype.hpp"
#include "core/reduce_op.hpp"
#include "core/traffic.hpp"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace viaduct {

enum class Placement { out_of_place, in_place };

/// graph: a CUDA graph of k operations (no launch cost). stream: k launches back to back, what
/// nccl-tests does. each: one pair of timestamps for each operation.
enum class Mode { graph, stream, each };

/// viaduct: design of this project (lead-in, device clock, maximum over ranks).
/// nccl_tests: repeats the loop of nccl-tests (host clock, mean over ranks, ncclMemAlloc, rotating
/// offset). p2p_sample: repeats the loop of p2pBandwidthLatencyTest of NVIDIA's CUDA samples,
/// engine copy only (peer access enabled anew before each loop, nothing warmed up, one buffer).
enum class Method { viaduct, nccl_tests, p2p_sample };

/// plain: cudaMalloc, or page-aligned host memory; nothing registered. nccl: ncclMemAlloc
/// (cudaMalloc where the library lacks it), as nccl-tests allocates. registered: ncclMemAlloc and
/// ncclCommRegister (nccl-tests -R 1). symmetric: ncclMemAlloc and a symmetric window by
/// ncclCommWindowRegister (nccl-tests -R 2).
enum class BufferKind { plain, nccl, registered, symmetric };

const char* name(Placement placement);
const char* name(Mode mode);
const char* name(Method method);
const char* name(BufferKind kind);

/// Each throws Error(usage) with the right forms.
Placement parse_placement(std::string_view text);
Mode parse_mode(std::string_view text);
Method parse_method(std::string_view text);
BufferKind parse_buffer_kind(std::string_view text);

/// The GPUs of a host that a copy goes between, by their CUDA index; only operations of the copy
/// engine have them. `none` is host memory, or every other GPU, as the operation says.
struct CopyEnds {
  static constexpr int none = -1;

  int from = none;
  int to = none;

  friend bool operator==(const CopyEnds&, const CopyEnds&) = default;
  friend auto operator<=>(const CopyEnds&, const CopyEnds&) = default;
};

struct Case {
  std::string operation;
  std::uint64_t size_bytes =
      0;  ///< as asked for; what `size` means is the collective's own (see Collective)
  Datatype datatype = Datatype::float32;
  ReduceOp reduction = ReduceOp::sum;  ///< not used by operations that do not reduce
  int root = 0;                        ///< not used by operations without a root
  Placement placement = Placement::out_of_place;
  Mode mode = Mode::stream;
  Traffic traffic{};  ///< only used by operations with unequal blocks
  int window = 0;     ///< messages in flight of one operation; 0: the operation has no window
  CopyEnds ends{};    ///< only used by the copy engine

  friend bool operator==(const Case&, const Case&) = default;
};

/// "all_reduce 8 float32 sum out-of-place graph", for messages.
std::string describe(const Case& c);

}  // namespace viaduct
