#pragma once
// Lines of a tool's output without what a terminal would have taken away: escape sequences,
// carriage returns and the byte order mark of UTF-8. Knows no tool.

#include <string>
#include <string_view>
#include <vector>

namespace viaduct {

std::vector<std::string> plain_lines(std::string_view text);

/// Without the blanks and tabs at both ends.
std::string_view without_outer_blanks(std::string_view text);

/// Words between blanks and tabs.
std::vector<std::string_view> words_of(std::string_view line);

}  // namespace viaduct
