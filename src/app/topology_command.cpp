// viaduct topology: GPUs, links, NICs and what they can reach, of this machine or of text.

#include "app/command_words.hpp"
#include "app/commands.hpp"
#include "app/topology_views.hpp"
#include "config/text_file.hpp"
#include "core/error.hpp"
#include "probe/host.hpp"
#include "probe/host_topology.hpp"
#include "topology/topology_text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <iostream>
#include <iterator>

namespace viaduct {
namespace {

constexpr double reading_s = 30;

TopologyText text_of(const std::string& file) {
  if (file == "-") {
    return {"standard input", std::string(std::istreambuf_iterator<char>(std::cin), {})};
  }
  return {file, read_text_file(file, "topology text")};
}

}  // namespace

int topology_command(const std::vector<std::string>& words) {
  CLI::App app("Shows GPUs, NVLinks, PCIe, NICs, distances, and the best rate each pair can reach.",
               "viaduct topology");
  std::vector<std::string> files;
  bool as_json = false;
  app.add_option(
      "--from",
      files,
      "in place of this machine: outputs of nvidia-smi topo -m, nvidia-smi topo -p2p r, "
      "nvidia-smi nvlink -s, nvidia-smi nvlink -c, lspci -vvv, lscpu; - reads from stdin");
  app.add_flag("--json", as_json, "one JSON document instead of words");
  if (!parse_command(app, words, "topology")) {
    return 0;
  }
  HostTopology topology;
  std::string title = host_name();
  if (files.empty()) {
    topology = TopologyReading([] { return read_host_topology(); }).take(reading_s);
  } else {
    std::vector<TopologyText> texts;
    for (const std::string& file : files) {
      texts.push_back(text_of(file));
    }
    topology = read_topology_texts(texts);
    title = fmt::format("from {}", fmt::join(files, ", "));
  }
  fmt::print("{}", as_json ? topology_json(topology) : topology_text(topology, title));
  return 0;
}

}  // namespace viaduct
