#include "pairs/pair_series.hpp"

#include <algorithm>

namespace viaduct {

int PairSeries::class_index(std::string_view label) {
  const auto found = std::find(classes.begin(), classes.end(), label);
  if (found != classes.end()) {
    return static_cast<int>(found - classes.begin());
  }
  classes.emplace_back(label);
  return static_cast<int>(classes.size()) - 1;
}

void PairSeries::add(int from, int to, std::string_view label, double value, bool alone) {
  samples.push_back({from, to, class_index(label), alone, value, std::nullopt});
}

}  // namespace viaduct
