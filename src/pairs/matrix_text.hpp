#pragma once
// A series of pairs as a matrix for people, rows the sender, columns the receiver. Measures and
// judges nothing.

#include "pairs/host_layout.hpp"
#include "pairs/pair_series.hpp"

#include <cstddef>
#include <string>

namespace viaduct {

struct MatrixTextOptions {
  /// More ranks than this are folded to hosts, more hosts than this to the hosts worth a line.
  std::size_t most_columns = 16;
};

/// Title (pattern, size, path, unit), then the medians over the rounds of each ordered pair. A pair
/// that was not measured is a dot, the diagonal is blank. More ranks than options.most_columns: one
/// matrix of hosts with the median over the pairs of ranks and one with the slowest of them; the
/// diagonal then holds the pairs inside a host. More hosts than that: one line for each of the
/// slowest hosts instead. Samples of rounds with one pair a host are left out where others exist.
std::string matrix_text(const PairSeries& series,
                        const HostLayout& layout,
                        const MatrixTextOptions& options = {});

}  // namespace viaduct
