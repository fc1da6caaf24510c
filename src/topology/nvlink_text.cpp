#include "topology/nvlink_text.hpp"

#include "topology/plain_lines.hpp"
#include "topology/topology_parts.hpp"

#include <fmt/format.h>

#include <charconv>

namespace viaduct {
namespace {

/// Text from the left, piece by piece.
struct Piece {
  std::string_view rest;

  bool take(std::string_view literal) {
    if (rest.substr(0, literal.size()) != literal) {
      return false;
    }
    rest.remove_prefix(literal.size());
    return true;
  }

  template <typename Number>
  std::optional<Number> number() {
    Number value{};
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc() || value < 0) {
      return std::nullopt;
    }
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    return value;
  }
};

std::string_view without_indent(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : line.substr(first);
}

struct GpuHead {
  int index = 0;
  std::string name;
};

/// "GPU 0: NVIDIA H200 (UUID: GPU-...)".
std::optional<GpuHead> gpu_head(std::string_view line) {
  Piece piece{without_indent(line)};
  if (!piece.take("GPU ")) {
    return std::nullopt;
  }
  const auto index = piece.number<int>();
  if (!index || !piece.take(": ")) {
    return std::nullopt;
  }
  return GpuHead{*index, std::string(piece.rest.substr(0, piece.rest.find(" (UUID")))};
}

struct LinkLine {
  int number = 0;
  std::string_view says;  ///< behind "Link 4: " or "Link 4, "
};

std::optional<LinkLine> link_line(std::string_view line, std::string_view separator) {
  Piece piece{without_indent(line)};
  if (!piece.take("Link ")) {
    return std::nullopt;
  }
  const auto number = piece.number<int>();
  if (!number || !piece.take(separator)) {
    return std::nullopt;
  }
  const std::size_t last = piece.rest.find_last_not_of(" \t");
  return LinkLine{*number, piece.rest.substr(0, last + 1)};
}

/// False: neither a rate nor inactive.
bool put_state(NvLink& link, std::string_view says) {
  if (says == "<inactive>" || says == "<inActive>" || says == "inactive") {
    link.is_up = false;
    return true;
  }
  Piece piece{says};
  const auto rate = piece.number<double>();
  if (!rate || *rate <= 0 || piece.rest != " GB/s") {
    return false;
  }
  link.is_up = true;
  link.rate_gbs = *rate;
  return true;
}

/// The GPU that the lines below a head are about. A name that another text gave stays.
GpuTopology& gpu_for(HostTopology& topology, const GpuHead& head) {
  GpuTopology& gpu = topology.gpus[place_of_gpu(topology, head.index)];
  gpu.name = gpu.name.empty() ? head.name : gpu.name;
  return gpu;
}

/// Whether a line below the head of a GPU says that it has no link up ("... all links are
/// inActive").
bool says_all_inactive(std::string_view line) {
  return line.find("all links are in") != std::string_view::npos;
}

}  // namespace

bool add_nvlink_status(std::string_view text, HostTopology& topology) {
  bool found = false;
  std::optional<GpuHead> head;
  for (const std::string& line : plain_lines(text)) {
    if (const auto next = gpu_head(line)) {
      head = next;
      continue;
    }
    if (head && says_all_inactive(line)) {
      gpu_for(topology, *head);
      topology.notes.push_back(fmt::format("GPU{}: no NVLink is up, says the driver", head->index));
      found = true;
      continue;
    }
    const auto link = link_line(line, ": ");
    if (!link || !head) {
      continue;
    }
    GpuTopology& gpu = gpu_for(topology, *head);
    gpu.nvlinks_known = true;
    found = true;
    if (!put_state(link_of(gpu, link->number), link->says)) {
      topology.notes.push_back(
          fmt::format("GPU{} link {}: '{}' is neither a rate (26.562 GB/s) nor <inactive>",
                      head->index,
                      link->number,
                      link->says));
    }
  }
  return found;
}

bool add_nvlink_capabilities(std::string_view text, HostTopology& topology) {
  constexpr std::string_view p2p = "P2P is supported: ";
  bool found = false;
  std::optional<GpuHead> head;
  for (const std::string& line : plain_lines(text)) {
    if (const auto next = gpu_head(line)) {
      head = next;
      continue;
    }
    const auto link = link_line(line, ", ");
    if (!link || !head) {
      continue;
    }
    GpuTopology& gpu = gpu_for(topology, *head);
    gpu.nvlinks_known = true;
    found = true;
    NvLink& known = link_of(gpu, link->number);
    if (link->says.substr(0, p2p.size()) == p2p) {
      const std::string_view word = link->says.substr(p2p.size());
      known.carries_p2p = word == "true"    ? std::optional(true)
                          : word == "false" ? std::optional(false)
                                            : std::nullopt;
    }
  }
  return found;
}

}  // namespace viaduct
