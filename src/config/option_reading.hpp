#pragma once
// How an option that may be absent is read, and how a complaint of core comes to name the option.

#include "config/run_options.hpp"
#include "core/error.hpp"

#include <string>

namespace viaduct {

/// Calls `use` with the text of the option, when it is given.
template <typename Use>
void with_option(const RunOptions& options, const char* key, const Use& use) {
  const auto found = options.values.find(key);
  if (found != options.values.end()) {
    use(found->second);
  }
}

/// Puts the option before the complaint of a reader of core.
template <typename Read>
auto read_option(const std::string& key, const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    throw Error(ErrorKind::usage, option_name(key) + ": " + error.message());
  }
}

}  // namespace viaduct
