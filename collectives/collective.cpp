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

namespace {

/// Elements of a size that is not zero: one at least, so that small sizes measure something.
std::uint64_t at_least_one(std::uint64_t elements, std::uint64_t size_bytes, Method method) {
  return size_bytes > 0 && method == Method::viaduct ? std::max<std::uint64_t>(elements, 1)
                                                     : elements;
}

}  // namespace

Layout vector_layout(std::uint64_t size_bytes, std::size_t element_bytes, Method method) {
  const std::uint64_t count = at_least_one(size_bytes / element_bytes, size_bytes, method);
  return Layout{.size_bytes = count * element_bytes,
                .count = count,
                .send_elements = count,
                .recv_elements = count};
}

std::uint64_t block_elements(std::uint64_t size_bytes,
                             std::size_t element_bytes,
                             int ranks,
                             Method method) {
  constexpr std::uint64_t block_alignment = 16;
  const std::uint64_t elements = size_bytes / element_bytes / static_cast<std::uint64_t>(ranks);
  const std::uint64_t unit = block_alignment / element_bytes;
  const std::uint64_t rounded = elements / unit * unit;
  if (rounded > 0 || method == Method::nccl_tests) {
    return rounded;
  }
  return at_least_one(elements, size_bytes, method);
}

}  // namespace viaduct::collectives
