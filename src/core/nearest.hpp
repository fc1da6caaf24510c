#pragma once
// "Did you mean": the known names nearest to an unknown one.

#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

/// Up to three known names, nearest first (Levenshtein distance, at most half the length of the
/// unknown name; a name that contains it or is contained in it counts as near). Empty when nothing
/// is near.
std::vector<std::string> nearest(std::string_view unknown, const std::vector<std::string>& known);

/// "unknown <what> 'x'; did you mean 'y' or 'z'?" or, when nothing is near, "...; known: a, b, c".
std::string unknown_name_message(std::string_view what,
                                 std::string_view unknown,
                                 const std::vector<std::string>& known);

}  // namespace viaduct
