#include "measure/schedule.hpp"

#include "core/pattern.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace viaduct {

namespace {

using Row = std::vector<std::size_t>;

/// 0, 1, n-1, 2, n-2, ...: shifted by one per row, neighbours differ by every amount.
Row first_williams_row(std::size_t lanes) {
  Row row{0};
  std::size_t low = 1;
  std::size_t high = lanes - 1;
  while (row.size() < lanes) {
    row.push_back(low++);
    if (row.size() < lanes) {
      row.push_back(high--);
    }
  }
  return row;
}

/// Odd counts need the mirror image of each row as well; it follows its row at once, as in ABBA.
std::vector<Row> williams_square(std::size_t lanes) {
  const Row first = first_williams_row(lanes);
  std::vector<Row> rows;
  for (std::size_t shift = 0; shift < lanes; ++shift) {
    Row row = first;
    for (std::size_t& lane : row) {
      lane = (lane + shift) % lanes;
    }
    rows.push_back(row);
    if (lanes % 2 == 1) {
      std::reverse(row.begin(), row.end());
      rows.push_back(row);
    }
  }
  return rows;
}

/// Fisher-Yates by hand: std::shuffle gives other orders with other standard libraries.
Row seeded_parts(std::size_t lanes, std::uint64_t seed) {
  Row parts(lanes);
  std::iota(parts.begin(), parts.end(), std::size_t{0});
  for (std::size_t last = lanes; last > 1; --last) {
    std::swap(parts[last - 1], parts[mix(seed, 0, last) % last]);
  }
  return parts;
}

}  // namespace

Schedule::Schedule(std::size_t lanes, std::uint64_t seed) {
  if (lanes < 2) {
    rows_.emplace_back(lanes, 0);
    return;
  }
  rows_ = williams_square(lanes);
  const Row parts = seeded_parts(lanes, seed);
  for (Row& row : rows_) {
    for (std::size_t& lane : row) {
      lane = parts[lane];
    }
  }
  start_ = mix(seed, 1, 0) % rows_.size();
}

const std::vector<std::size_t>& Schedule::order(std::uint64_t round) const {
  return rows_[(start_ + round) % rows_.size()];
}

}  // namespace viaduct
