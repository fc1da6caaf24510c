#include "collectives/collective.hpp"

#include "core/error.hpp"
#include "core/nearest.hpp"

#include <algorithm>

namespace viaduct::collectives {

const Collective* find(std::string_view name) {
  const auto& entries = all();
  const auto at = std::ranges::find(entries, name, &Collective::name);
  return at == entries.end() ? nullptr : *at;
}

const Collective& get(std::string_view name) {
  if (const Collective* entry = find(name)) {
    return *entry;
  }
  throw Error(ErrorKind::usage, unknown_name_message("collective", name, names()));
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const Collective* entry : all()) {
    names.emplace_back(entry->name);
  }
  return names;
}

}  // namespace viaduct::collectives
