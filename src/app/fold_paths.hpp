#pragma once
// Paths of a run that come to the same: which of them are measured, and what is said of the others.
// Pure.

#include "core/path_spec.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace viaduct {

struct FoldedPaths {
  std::vector<PathSpec> run;       ///< in the order of the run
  std::vector<std::string> notes;  ///< one for each path that is left out
};

/// `firsts` has one entry for each rank: for each path the place of the first that is alike there,
/// by `why`: "same environment as". A path is left out only where every rank says so.
FoldedPaths fold_paths(const std::vector<PathSpec>& paths,
                       const std::vector<std::vector<std::size_t>>& firsts,
                       const std::string& why = "same environment as");

/// How one rank's answer travels: "0,0,2".
std::string to_text(const std::vector<std::size_t>& places);
std::vector<std::size_t> places_from_text(const std::string& text);

}  // namespace viaduct
