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

Layout vector_layout(const LayoutRequest& request) {
  const std::uint64_t count =
      at_least_one(request.size_bytes / request.element_bytes, request.size_bytes, request.method);
  Layout layout;
  layout.size_bytes = count * request.element_bytes;
  layout.count = count;
  layout.send_elements = count;
  layout.recv_elements = count;
  return layout;
}

std::uint64_t block_elements(const LayoutRequest& request) {
  constexpr std::uint64_t block_alignment = 16;
  const auto ranks = static_cast<std::uint64_t>(request.ranks);
  const std::uint64_t elements = request.size_bytes / request.element_bytes / ranks;
  const std::uint64_t unit = block_alignment / request.element_bytes;
  const std::uint64_t rounded = elements / unit * unit;
  if (rounded > 0 || request.method == Method::nccl_tests) {
    return rounded;
  }
  return at_least_one(elements, request.size_bytes, request.method);
}

}  // namespace viaduct::collectives
