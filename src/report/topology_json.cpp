#include "report/topology_json.hpp"

#include "core/error.hpp"
#include "report/json_values.hpp"

#include <fmt/format.h>

namespace viaduct {

namespace {

using Json = nlohmann::json;

Json pcie_json(const PcieLink& pcie) {
  return Json{{"generation", or_null(pcie.generation)},
              {"width", or_null(pcie.width)},
              {"generation_max", or_null(pcie.generation_max)},
              {"width_max", or_null(pcie.width_max)}};
}

Json nvlink_json(const NvLink& link) {
  return Json{{"link", link.number},
              {"up", or_null(link.is_up)},
              {"rate_gbs", finite_or_null(link.rate_gbs, "rate_gbs")},
              {"version", text_or_null(link.version)},
              {"remote", text_or_null(link.remote)},
              {"remote_bus_id", text_or_null(link.remote_bus_id)},
              {"p2p", or_null(link.carries_p2p)}};
}

Json node_json(int node) {
  return node < 0 ? Json(nullptr) : Json(node);
}

Json gpu_topology_json(const GpuTopology& gpu) {
  Json links = nullptr;
  if (gpu.nvlinks_known) {
    links = Json::array();
    for (const NvLink& link : gpu.nvlinks) {
      links.push_back(nvlink_json(link));
    }
  }
  return Json{{"index", gpu.index},
              {"name", text_or_null(gpu.name)},
              {"bus_id", text_or_null(gpu.bus_id)},
              {"numa_node", node_json(gpu.numa_node)},
              {"cpus", text_or_null(gpu.cpus)},
              {"pcie", pcie_json(gpu.pcie)},
              {"c2c", or_null(gpu.has_c2c)},
              {"nvlinks", links}};
}

Json nic_json(const NicTopology& nic) {
  return Json{{"name", nic.name},
              {"interface", text_or_null(nic.interface)},
              {"kind", text_or_null(nic.kind)},
              {"bus_id", text_or_null(nic.bus_id)},
              {"up", or_null(nic.is_up)},
              {"rate_gbs", finite_or_null(nic.rate_gbs, "rate_gbs")},
              {"numa_node", node_json(nic.numa_node)},
              {"pcie", pcie_json(nic.pcie)}};
}

/// Rows of words, one text for each row: a matrix of 40 devices stays readable in a line of JSON.
Json distances_json(const DistanceMatrix& matrix) {
  Json rows = Json::array();
  for (const std::vector<Distance>& row : matrix) {
    std::string text;
    for (const Distance& distance : row) {
      const std::string word = label(distance);
      text += (text.empty() ? "" : " ") + (word.empty() ? std::string("?") : word);
    }
    rows.push_back(text);
  }
  return rows;
}

Json p2p_json(const std::vector<std::vector<std::string>>& matrix) {
  Json rows = Json::array();
  for (const std::vector<std::string>& row : matrix) {
    std::string text;
    for (const std::string& state : row) {
      text += (text.empty() ? "" : " ") + (state.empty() ? std::string("?") : state);
    }
    rows.push_back(text);
  }
  return rows;
}

std::vector<std::string> words_in(const std::string& row) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while (at < row.size()) {
    const std::size_t end = std::min(row.find(' ', at), row.size());
    words.push_back(row.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

DistanceMatrix distances_from(const JsonFields& fields) {
  DistanceMatrix matrix;
  for (const std::string& row : fields.texts("distances")) {
    matrix.emplace_back();
    for (const std::string& word : words_in(row)) {
      const auto distance = distance_from_label(word == "?" ? "" : word);
      if (!distance) {
        throw Error(ErrorKind::io,
                    fmt::format("key '{}': '{}' is no distance; right: X, NV18, PIX, PXB, PHB, "
                                "NODE, SYS or ?",
                                fields.place("distances"),
                                word));
      }
      matrix.back().push_back(*distance);
    }
  }
  return matrix;
}

std::vector<std::vector<std::string>> p2p_from(const JsonFields& fields) {
  std::vector<std::vector<std::string>> matrix;
  for (const std::string& row : fields.texts("p2p_read")) {
    matrix.push_back(words_in(row));
    for (std::string& word : matrix.back()) {
      word = word == "?" ? "" : word;
    }
  }
  return matrix;
}

PcieLink pcie_from(const JsonFields& fields) {
  return PcieLink{fields.optional_integer("generation"),
                  fields.optional_integer("width"),
                  fields.optional_integer("generation_max"),
                  fields.optional_integer("width_max")};
}

NvLink nvlink_from(const JsonFields& fields) {
  NvLink link;
  link.number = fields.integer("link");
  link.is_up = fields.optional_flag("up");
  link.rate_gbs = fields.optional_number("rate_gbs");
  link.version = fields.text_or_empty("version");
  link.remote = fields.text_or_empty("remote");
  link.remote_bus_id = fields.text_or_empty("remote_bus_id");
  link.carries_p2p = fields.optional_flag("p2p");
  return link;
}

GpuTopology gpu_topology_from(const JsonFields& fields) {
  GpuTopology gpu;
  gpu.index = fields.integer("index");
  gpu.name = fields.text_or_empty("name");
  gpu.bus_id = fields.text_or_empty("bus_id");
  gpu.numa_node = fields.optional_integer("numa_node").value_or(-1);
  gpu.cpus = fields.text_or_empty("cpus");
  gpu.pcie = pcie_from(fields.object("pcie"));
  if (fields.has("c2c")) {
    gpu.has_c2c = fields.optional_flag("c2c");
  }
  gpu.nvlinks_known = !fields.is_null("nvlinks");
  if (gpu.nvlinks_known) {
    for (const JsonFields& link : fields.objects("nvlinks")) {
      gpu.nvlinks.push_back(nvlink_from(link));
    }
  }
  return gpu;
}

NicTopology nic_from(const JsonFields& fields) {
  NicTopology nic;
  nic.name = fields.text("name");
  nic.interface = fields.text_or_empty("interface");
  nic.kind = fields.text_or_empty("kind");
  nic.bus_id = fields.text_or_empty("bus_id");
  nic.is_up = fields.optional_flag("up");
  nic.rate_gbs = fields.optional_number("rate_gbs");
  nic.numa_node = fields.optional_integer("numa_node").value_or(-1);
  nic.pcie = pcie_from(fields.object("pcie"));
  return nic;
}

}  // namespace

nlohmann::json to_json(const HostTopology& topology) {
  Json gpus = Json::array();
  for (const GpuTopology& gpu : topology.gpus) {
    gpus.push_back(gpu_topology_json(gpu));
  }
  Json nics = nullptr;
  if (topology.nics_known) {
    nics = Json::array();
    for (const NicTopology& nic : topology.nics) {
      nics.push_back(nic_json(nic));
    }
  }
  return Json{{"gpus", gpus},
              {"why_no_gpus", text_or_null(topology.why_no_gpus)},
              {"nics", nics},
              {"cpu_vendor", text_or_null(topology.cpu_vendor)},
              {"distances", distances_json(topology.distances)},
              {"p2p_read", p2p_json(topology.p2p_read)},
              {"acs", or_null(topology.acs)},
              {"notes", topology.notes}};
}

nlohmann::json folded_topology_json(const FoldedTopology& folded) {
  Json json = to_json(folded.topology);
  json["hosts"] = folded.hosts;
  return json;
}

HostTopology topology_from_json(const JsonFields& fields) {
  HostTopology topology;
  for (const JsonFields& gpu : fields.objects("gpus")) {
    topology.gpus.push_back(gpu_topology_from(gpu));
  }
  topology.why_no_gpus = fields.text_or_empty("why_no_gpus");
  topology.nics_known = !fields.is_null("nics");
  if (topology.nics_known) {
    for (const JsonFields& nic : fields.objects("nics")) {
      topology.nics.push_back(nic_from(nic));
    }
  }
  // Files from before have no such key.
  topology.cpu_vendor = fields.has("cpu_vendor") ? fields.text_or_empty("cpu_vendor") : "";
  topology.distances = distances_from(fields);
  topology.p2p_read = p2p_from(fields);
  topology.acs = fields.optional_flag("acs");
  topology.notes = fields.texts("notes");
  return topology;
}

FoldedTopology folded_topology_from_json(const JsonFields& fields) {
  return FoldedTopology{fields.texts("hosts"), topology_from_json(fields)};
}

}  // namespace viaduct
