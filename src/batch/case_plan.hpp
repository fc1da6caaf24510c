#pragma once
// What a case needs before memory is taken: its operation, its counts and its bytes. Pure: knows no
// transport, no buffer.

#include "collectives/collective.hpp"
#include "core/batch_spec.hpp"
#include "core/case.hpp"
#include "core/pattern.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace viaduct {

/// Every slot and buffer of a case starts at a multiple of this.
constexpr std::uint64_t slot_alignment = 256;

struct CasePlan {
  const Collective* collective = nullptr;
  Case c;
  Method method = Method::viaduct;
  int rank = 0;
  int ranks = 1;
  Layout layout;
  InPlaceOffsets offsets;          ///< zero when out of place
  std::uint64_t element = 1;       ///< bytes of one element
  std::uint64_t offset_bytes = 0;  ///< of every buffer, behind an aligned address
  std::uint64_t fixed_bytes = 0;
  std::uint64_t slot_bytes = 0;

  [[nodiscard]] bool is_in_place() const { return c.placement == Placement::in_place; }

  [[nodiscard]] bool is_empty() const {
    return layout.recv_elements == 0 && layout.send_elements == 0;
  }

  /// Whether one more operation on the same buffer leaves the same result there.
  [[nodiscard]] bool can_repeat() const {
    return !(is_in_place() && collective->in_place_destroys_input);
  }

  /// Elements from the start of a slot to the end of what the operation touches there.
  [[nodiscard]] std::uint64_t slot_elements() const;

  [[nodiscard]] std::vector<Segment> expected() const {
    return collective->expected(
        layout, Seat{.rank = rank, .ranks = ranks, .root = c.root, .placement = c.placement});
  }
};

/// What a plan depends on besides its case.
struct PlanFrame {
  Method method = Method::viaduct;
  int rank = 0;
  int ranks = 1;
  BufferSpec buffers{};
};

/// Bytes rounded up to slot_alignment; stays at the largest value instead of overflowing.
std::uint64_t aligned_bytes(std::uint64_t bytes);

/// Throws Error(usage) for an unknown operation. An in-place case of an operation without an
/// in-place form is planned as if it were out of place; describe_case() says that it cannot run.
CasePlan make_case_plan(const Case& c, const PlanFrame& frame);

}  // namespace viaduct
