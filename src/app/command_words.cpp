#include "app/command_words.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

namespace viaduct {

bool parse_command(CLI::App& app, const std::vector<std::string>& words, const char* command) {
  // CLI11 takes the words from the end.
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return false;
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::usage, fmt::format("{}: {}", command, error.what()));
  }
  return true;
}

}  // namespace viaduct
