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

/// What counts are made from.
struct LayoutRequest {
  std::uint64_t size_bytes = 0;  ///< as asked for
  std::size_t element_bytes = 1;
  int rank = 0;
  int ranks = 1;
  Method method = Method::viaduct;
  const Traffic* traffic = nullptr;  ///< null: uniform
  int window = 0;                    ///< messages in flight; 0: no window
  bool shares_window = false;        ///< all messages of a window lie at one place
};

/// What one rank exchanges with each other one, in elements; index is the peer. Offsets are from
/// the start of the input and of the output.
struct PeerBlocks {
  std::vector<std::uint64_t> send_counts;
  std::vector<std::uint64_t> send_offsets;
  std::vector<std::uint64_t> recv_counts;
  std::vector<std::uint64_t> recv_offsets;
  /// Where the block for this rank begins in the input of the peer.
  std::vector<std::uint64_t> source_offsets;
};

/// Counts of one case, in elements. All but `blocks` are the same on every rank, so that buffers
/// are equally large everywhere (symmetric windows must be), also where a rank uses none of one.
struct Layout {
  std::uint64_t size_bytes = 0;     ///< S after rounding to whole elements and blocks
  std::uint64_t count = 0;          ///< count argument of the operation
  std::uint64_t send_elements = 0;  ///< elements of the input buffer
  std::uint64_t recv_elements = 0;  ///< elements of the output buffer
  PeerBlocks blocks;                ///< only of operations with unequal blocks
  std::uint64_t messages = 1;       ///< of a window, each of `count` elements
  std::uint64_t stride = 0;         ///< elements from one message of a window to the next
};

/// From whose place an operation is looked at.
struct Seat {
  int rank = 0;
  int ranks = 1;
  int root = 0;
  Placement placement = Placement::out_of_place;
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
  const Layout& layout;
  Datatype datatype = Datatype::float32;
  ReduceOp reduction = ReduceOp::sum;
  int root = 0;
};

struct Collective {
  std::string_view name;
  std::string_view size_meaning;     ///< what S means, one sentence
  std::string_view factors;          ///< algbw and busbw in words and formulas of S, t and n ranks
  std::string_view in_place_form{};  ///< where input and output lie; "" without such a form
  std::string_view limits{};         ///< ranks or engines that cannot; "" when none
  std::string_view verb;             ///< the native calls of both engines
  bool reduces = false;
  bool has_root = false;
  bool has_in_place = true;
  bool has_size = true;      ///< false: moves no data (barrier), one case whatever the sizes
  bool has_traffic = false;  ///< unequal blocks: its cases differ by Case::traffic
  /// From one rank to one other, or to and fro: its records name the two. Its elements are bytes
  /// unless asked for otherwise, so that every size is a size of a message.
  bool is_pairwise = false;
  bool shows_distribution = false;  ///< mode each is measured too unless asked for otherwise
  int default_window = 0;  ///< messages of one operation when not asked for otherwise; 0: no window
  /// In place, the output destroys the input: one more operation on the same buffer has another
  /// result.
  bool in_place_destroys_input = false;

  /// From the size asked for; rounds as block_elements() does where every rank has a block.
  Layout (*layout)(const LayoutRequest& request) = nullptr;

  /// algbw / (S / t); null: 1.
  double (*alg_factor)(int ranks, const Traffic& traffic) = nullptr;

  /// busbw / (S / t), the same for every size.
  double (*bus_factor)(int ranks, const Traffic& traffic) = nullptr;

  /// Reported time / time of one operation as it is enqueued; null: 1. One half where an operation
  /// is a round trip and the time is one way. The window is that of the case, at least 1.
  double (*time_share)(int window) = nullptr;

  /// Messages that all ranks together have sent when the reported time has passed, for the rate of
  /// messages; null: no rate is reported.
  double (*messages)(int ranks) = nullptr;

  /// Why the operation cannot run on so many ranks or with this traffic; "" when it can. Null: it
  /// always can. layout() and the factors are asked nevertheless and must give something.
  std::string (*why_not)(int ranks, const Traffic& traffic) = nullptr;

  /// Null exactly where has_in_place is false.
  InPlaceOffsets (*in_place)(const Layout& layout, int rank) = nullptr;

  /// What the output buffer of a rank must hold, over its whole length: untouched where the
  /// operation writes nothing.
  std::vector<Segment> (*expected)(const Layout& layout, const Seat& seat) = nullptr;

  /// One operation, out of verbs of the transport. Inside the timed loop: takes no memory.
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

}  // namespace collectives
}  // namespace viaduct
