#pragma once
// What one rank is asked to do on one lane, and what it answers: case, batch and their results.
// These values travel in frames between a rank and its worker, and straight to the transport of the
// mpi engine.

#include "core/case.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace viaduct {

/// Where the buffers of a case come from, and how far their first element lies behind an aligned
/// address.
struct BufferSpec {
  BufferKind kind = BufferKind::plain;
  std::uint64_t offset_bytes = 0;  ///< a multiple of the element, or the case cannot run
  /// The messages of a window share one place in the input and one in the output, as those of OSU
  /// and IMB do; else each has its own.
  bool shares_window = false;

  friend bool operator==(const BufferSpec&, const BufferSpec&) = default;
};

/// A case as a transport sees it, before memory is taken.
struct CaseDescription {
  std::uint64_t size_bytes = 0;  ///< S after rounding to whole elements and blocks
  std::uint64_t count = 0;  ///< the count argument of the operation, per rank where it is per rank
  double alg_factor = 1;    ///< algbw / (S / t); 0: it has no bandwidth
  double bus_factor = 0;    ///< busbw / (S / t)
  double time_share = 1;    ///< reported time / time of one operation as it is enqueued
  double messages = 0;      ///< sent by all ranks together in the reported time; 0: no rate
  std::uint64_t fixed_bytes =
      0;                         ///< memory of the case that does not depend on the number of slots
  std::uint64_t slot_bytes = 0;  ///< memory of each slot
  std::uint64_t free_bytes = 0;  ///< memory free for buffers on this rank now
  bool reduces = false;
  bool has_root = false;
  bool has_traffic = false;
  bool is_pairwise = false;  ///< from one rank to one other
  int tolerance_ulp = 0;     ///< how far an element may be from the expected one and still be right
  std::string skip_reason;   ///< not empty: this transport cannot run the case, and why
  /// Parts of the way that are timed by themselves as well, "device_to_host,host_to_device"; empty:
  /// none.
  std::string legs;
};

struct OpenSpec {
  Case c;
  std::uint64_t seed = 1;
  std::uint64_t slots = 1;
  BufferSpec buffers{};
  Method method = Method::viaduct;
  std::uint64_t max_bytes =
      0;              ///< nccl_tests only: largest size of the sweep, over which offsets rotate
  bool check = true;  ///< fill, run once, compare
};

struct OpenResult {
  std::optional<std::uint64_t>
      wrong;  ///< elements of the first operation that are not right; empty: not checked
  double first_operation_us = 0;  ///< host clock, connection of transports included
  std::string allocator;          ///< cudaMalloc, ncclMemAlloc, host
  std::string registration;       ///< none, ncclCommRegister, ncclCommWindowRegister
};

struct BatchSpec {
  std::uint64_t operations = 1;  ///< k, in each replay
  std::uint64_t replays = 1;     ///< launches of the graph; only mode graph
  std::uint64_t lead_in_operations =
      0;                 ///< untimed, before the 8 B all_reduce that aligns the ranks
  bool checked = false;  ///< poison the slots before, compare after
};

struct BatchResult {
  std::vector<double> samples_us;  ///< time of one operation: one value, or k values in mode each
  std::optional<std::uint64_t> wrong;
  std::uint64_t checked_operations = 0;
  std::string checked;          ///< timed, extra or none: which operations the comparison saw
  double wall_us = 0;           ///< host clock over the whole batch, lead-in included
  std::vector<double> legs_us;  ///< of one operation; as many as CaseDescription::legs, or none
};

}  // namespace viaduct
