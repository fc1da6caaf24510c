#pragma once
// Values of options from their texts; every complaint names the option, the text and the right
// form.

#include <cstdint>
#include <string>
#include <vector>

namespace viaduct {

std::uint64_t whole_number(const std::string& option,
                           const std::string& text,
                           std::uint64_t least,
                           std::uint64_t most);

/// A finite number above `least`.
double number_above(const std::string& option, const std::string& text, double least);

/// "a,b,c"; an empty part or a word that stands twice is an error.
std::vector<std::string> word_list(const std::string& option, const std::string& text);

}  // namespace viaduct
