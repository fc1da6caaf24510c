#include "topology/nvlink_text.hpp"

#include "topology/matrix_text.hpp"
#include "topology/plain_lines.hpp"
#include "topology/topology_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

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
  if (!index || *index > highest_number || !piece.take(": ")) {
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
  if (!number || *number > highest_number || !piece.take(separator)) {
    return std::nullopt;
  }
  const std::size_t last = piece.rest.find_last_not_of(" \t");
  return LinkLine{*number, piece.rest.substr(0, last + 1)};
}

/// Far above any link there is: a slip of digits is no rate.
constexpr double highest_rate_gbs = 1000;

/// False: neither a rate nor inactive.
bool put_state(NvLink& link, std::string_view says) {
  if (says == "<inactive>" || says == "<inActive>" || says == "inactive") {
    link.is_up = false;
    return true;
  }
  Piece piece{says};
  const auto rate = piece.number<double>();
  // Written so that "nan" does not pass.
  const bool is_rate = rate && *rate > 0 && *rate <= highest_rate_gbs;
  if (!is_rate || piece.rest != " GB/s") {
    return false;
  }
  link.is_up = true;
  link.rate_gbs = *rate;
  return true;
}

/// Lines of one GPU whose state cannot be read: one note for all of them.
struct OddLinks {
  int gpu = 0;
  int link = 0;          ///< of the first one, as all below
  std::size_t line = 0;  ///< from 1
  std::string says;
  std::size_t count = 0;
};

void note_odd(HostTopology& topology, const OddLinks& odd) {
  topology.notes.push_back(fmt::format(
      "line {}: GPU{} link {}: '{}' is neither a rate (26.562 GB/s, at most {}) nor "
      "<inactive>; its state and rate are not known{}",
      odd.line,
      odd.gpu,
      odd.link,
      odd.says,
      highest_rate_gbs,
      odd.count > 1 ? fmt::format(", nor those of {} more links of this GPU", odd.count - 1) : ""));
}

void add_odd(std::vector<OddLinks>& all, int gpu, const LinkLine& link, std::size_t line) {
  auto of_gpu =
      std::find_if(all.begin(), all.end(), [gpu](const OddLinks& odd) { return odd.gpu == gpu; });
  if (of_gpu == all.end()) {
    all.push_back({gpu, link.number, line, std::string(link.says), 0});
    of_gpu = all.end() - 1;
  }
  ++of_gpu->count;
}

/// Takes the lines below a head for those of a GPU; below a head with a number that no GPU has,
/// for those of none.
class HeadReader {
 public:
  /// Whether the line is a head.
  bool take(std::string_view line) {
    ++line_;
    if (auto next = gpu_head(line)) {
      head_ = std::move(next);
      return true;
    }
    Piece piece{without_indent(line)};
    if (!piece.take("GPU ")) {
      return false;
    }
    const std::string_view number =
        piece.rest.substr(0, piece.rest.find_first_not_of("-0123456789"));
    piece.rest.remove_prefix(number.size());
    if (number.empty() || !piece.take(": ")) {
      return false;
    }
    head_.reset();
    notes_.push_back(
        fmt::format("line {}: 'GPU {}' is no GPU (GPU 0 to GPU {}); its links are left out",
                    line_,
                    number,
                    highest_number));
    return true;
  }

  [[nodiscard]] const std::optional<GpuHead>& head() const { return head_; }

  /// Whether the last head has a number that no GPU has.
  [[nodiscard]] bool is_below_no_gpu() const { return !head_ && !notes_.empty(); }

  [[nodiscard]] std::size_t line() const { return line_; }

  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::optional<GpuHead> head_;
  std::size_t line_ = 0;  ///< of the last one, from 1
  std::vector<std::string> notes_;
};

void add_notes(HostTopology& topology, const HeadReader& reader, bool found) {
  if (found) {
    topology.notes.insert(topology.notes.end(), reader.notes().begin(), reader.notes().end());
  }
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
  HeadReader reader;
  std::vector<OddLinks> odd;
  for (const std::string& line : plain_lines(text)) {
    if (reader.take(line) || !reader.head()) {
      found = found || (reader.is_below_no_gpu() && link_line(line, ": "));
      continue;
    }
    const GpuHead& head = *reader.head();
    if (says_all_inactive(line)) {
      gpu_for(topology, head);
      topology.notes.push_back(fmt::format("GPU{}: no NVLink is up, says the driver", head.index));
      found = true;
      continue;
    }
    if (const auto link = link_line(line, ": ")) {
      GpuTopology& gpu = gpu_for(topology, head);
      gpu.nvlinks_known = true;
      found = true;
      if (!put_state(link_of(gpu, link->number), link->says)) {
        add_odd(odd, head.index, *link, reader.line());
      }
    }
  }
  for (const OddLinks& links : odd) {
    note_odd(topology, links);
  }
  add_notes(topology, reader, found);
  return found;
}

bool add_nvlink_capabilities(std::string_view text, HostTopology& topology) {
  constexpr std::string_view p2p = "P2P is supported: ";
  bool found = false;
  HeadReader reader;
  for (const std::string& line : plain_lines(text)) {
    const bool is_head = reader.take(line);
    const auto link = link_line(line, ", ");
    if (is_head || !link || !reader.head()) {
      found = found || (reader.is_below_no_gpu() && link);
      continue;
    }
    GpuTopology& gpu = gpu_for(topology, *reader.head());
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
  add_notes(topology, reader, found);
  return found;
}

}  // namespace viaduct
