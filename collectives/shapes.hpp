#pragma once
// Layouts, factors, in-place forms and contents that several collectives share.

#include "collectives/collective.hpp"

namespace viaduct::collectives {

/// The same vector of whole elements in and out. Method viaduct rounds a size below one element up
/// to one, as block_elements() does; nccl-tests makes it empty.
Layout vector_layout(const LayoutRequest& request);

/// S is n blocks; one of them goes in and all come out.
Layout gathered_layout(const LayoutRequest& request);

/// S is n blocks; all of them go in and one comes out.
Layout scattered_layout(const LayoutRequest& request);

/// S is n blocks, in and out.
Layout exchanged_layout(const LayoutRequest& request);

/// Elements of one block when `size_bytes` is divided over `ranks`, rounded as rounded_block()
/// does; method viaduct makes it one element at least, so that small sizes measure something.
std::uint64_t block_elements(const LayoutRequest& request);

/// Rounded down to 16 bytes as nccl-tests does. Blocks shorter than that: nccl-tests makes them
/// empty; method viaduct leaves them as they are.
std::uint64_t rounded_block(std::uint64_t elements, const LayoutRequest& request);

/// 1: busbw is S / t.
double whole_size(int ranks, const Traffic& traffic);

/// (n - 1) / n: the part of S that a rank exchanges with others.
double share_of_others(int ranks, const Traffic& traffic);

/// Input and output are one vector.
InPlaceOffsets one_vector(const Layout& layout, int rank);

/// The input is this rank's block of the output.
InPlaceOffsets own_block_of_output(const Layout& layout, int rank);

/// The output is this rank's block of the input.
InPlaceOffsets own_block_of_input(const Layout& layout, int rank);

/// `count` elements from `first` on, as they lie at `source_first` in the input of `source`.
Segment copied(std::uint64_t first, std::uint64_t count, int source, std::uint64_t source_first);

/// `count` elements from the first on, reduced from `source_first` on of every input.
Segment reduced(std::uint64_t count, std::uint64_t source_first);

Segment untouched(std::uint64_t first, std::uint64_t count);

/// The whole output: a block from each rank, in the order of ranks.
std::vector<Segment> blocks_of_every_rank(const Layout& layout, const Seat& seat);

/// Elements before the block of `rank`.
std::uint64_t block_start(const Layout& layout, int rank);

}  // namespace viaduct::collectives
