#pragma once
// The words of `viaduct run` that measure one path of a run by hand. Pure.

#include <string>
#include <vector>

namespace viaduct {

/// `words` of the whole run, without the program's name, on this path alone and opened once.
std::vector<std::string> words_of_block(const std::vector<std::string>& words,
                                        const std::string& path);

}  // namespace viaduct
