#pragma once
// What a collective or pattern is: how its size becomes counts, what it leaves in the buffers, how
// it is enqueued. A new one is one file with one such value and one word in CMakeLists.txt. Must
// not know MPI, CUDA or NCCL.

#include "core/case.hpp"
#include "core/pattern.hpp"
#include "transport/transport.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

/// Counts of one case on every rank, in elements.
struct Layout {
  std::uint64_t size_bytes = 0;     ///< S after rounding to whole elements and blocks
  std::uint64_t count = 0;          ///< count argument of the operation
  std::uint64_t send_elements = 0;  ///< elements of the input buffer
  std::uint64_t recv_elements = 0;  ///< elements of the output buffer
};

/// Elements from the start of the one buffer of an in-place case to the input and to the output of
/// `rank`.
struct InPlaceOffsets {
  std::uint64_t send = 0;
  std::uint64_t recv = 0;
};

struct OperationCall {
  const void* send = nullptr;
  void* recv = nullptr;
  std::uint64_t count = 0;
  Datatype datatype = Datatype::float32;
  ReduceOp reduction = ReduceOp::sum;
  int root = 0;
};

struct Collective {
  std::string_view name;
  std::string_view size_meaning;  ///< what S means, one sentence
  std::string_view verb;          ///< the native calls
  bool reduces = false;
  bool has_root = false;
  bool has_in_place = true;

  /// From the size asked for; rounds as block_elements() does where every rank has a block.
  Layout (*layout)(std::uint64_t size_bytes,
                   std::size_t element_bytes,
                   int ranks,
                   Method method) = nullptr;

  /// busbw / algbw, with algbw = S / t.
  double (*bus_factor)(int ranks) = nullptr;

  InPlaceOffsets (*in_place)(const Layout& layout, int rank) = nullptr;

  /// What the output buffer of `rank` must hold, over its whole length.
  std::vector<Segment> (*expected)(const Layout& layout, int rank, int ranks, int root) = nullptr;

  void (*enqueue)(Transport& transport, const OperationCall& call) = nullptr;
};

namespace collectives {

/// Every entry, in the order of the CMake list.
const std::vector<const Collective*>& all();

/// nullptr when there is none.
const Collective* find(std::string_view name);

/// Of every entry, in order.
std::vector<std::string> names();

/// Throws Error(usage) with the nearest names.
const Collective& get(std::string_view name);

/// The same vector of whole elements in and out. Method viaduct rounds a size below one element up
/// to one, as block_elements() does; nccl-tests makes it empty.
Layout vector_layout(std::uint64_t size_bytes, std::size_t element_bytes, Method method);

/// Elements of one block when `size_bytes` is divided over `ranks`, rounded down to 16 bytes as
/// nccl-tests does. Blocks shorter than that: nccl-tests makes them empty; method viaduct rounds
/// down to whole elements instead, and up to one element, so that small sizes measure something.
std::uint64_t block_elements(std::uint64_t size_bytes,
                             std::size_t element_bytes,
                             int ranks,
                             Method method);

}  // namespace collectives
}  // namespace viaduct
