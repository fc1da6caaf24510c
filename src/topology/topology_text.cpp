#include "topology/topology_text.hpp"

#include "core/error.hpp"
#include "topology/acs_text.hpp"
#include "topology/cpu_text.hpp"
#include "topology/matrix_text.hpp"
#include "topology/nvlink_text.hpp"
#include "topology/p2p_matrix_text.hpp"
#include "topology/topo_matrix_text.hpp"
#include "topology/topology.hpp"

#include <fmt/format.h>

namespace viaduct {

namespace {

constexpr const char* right_texts =
    "give the output of nvidia-smi topo -m, nvidia-smi topo -p2p r, nvidia-smi nvlink -s, "
    "nvidia-smi nvlink -c, lspci -vvv or lscpu";

/// Two bytes for each character, as a redirection of PowerShell writes them.
bool is_utf16(std::string_view text) {
  const std::string_view front = text.substr(0, 2);
  return front == "\xFF\xFE" || front == "\xFE\xFF" ||
         (front.size() == 2 && (front[0] == '\0') != (front[1] == '\0'));
}

bool is_any_cell(std::string_view word) {
  return is_distance_cell(word) || is_p2p_cell(word);
}

void add_text(const TopologyText& text, HostTopology& topology) {
  constexpr bool (*readers[])(std::string_view, HostTopology&) = {add_topo_matrix,
                                                                  add_p2p_matrix,
                                                                  add_nvlink_status,
                                                                  add_nvlink_capabilities,
                                                                  add_acs,
                                                                  add_cpu_vendor};
  if (is_utf16(text.text)) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: is UTF-16 text; give it as UTF-8: iconv -f UTF-16 -t UTF-8", text.file));
  }
  bool found = false;
  for (const auto reader : readers) {
    found = reader(text.text, topology) || found;
  }
  const std::string unread = unread_matrix(text.text, is_any_cell);
  if (!found) {
    throw Error(ErrorKind::usage,
                unread.empty() ? fmt::format("{}: no topology in it; {}", text.file, right_texts)
                               : fmt::format("{}: {}; {}", text.file, unread, right_texts));
  }
  if (!unread.empty()) {
    topology.notes.push_back(unread);
  }
}

}  // namespace

HostTopology read_topology_texts(const std::vector<TopologyText>& texts) {
  HostTopology topology;
  for (const TopologyText& text : texts) {
    const std::size_t known = topology.notes.size();
    add_text(text, topology);
    for (std::size_t note = known; note < topology.notes.size(); ++note) {
      topology.notes[note] = text.file + ": " + topology.notes[note];
    }
  }
  complete_distances(topology);
  if (topology.gpus.empty()) {
    topology.why_no_gpus = "no text names one";
  }
  return topology;
}

}  // namespace viaduct
