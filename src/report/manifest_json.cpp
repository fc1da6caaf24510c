#include "report/engine_field.hpp"
#include "report/folded_list.hpp"
#include "report/host_json.hpp"
#include "report/json_fields.hpp"
#include "report/json_values.hpp"
#include "report/record_json.hpp"
#include "report/topology_json.hpp"

#include <nlohmann/json.hpp>

namespace viaduct {

namespace {

using Json = nlohmann::json;

Json path_json(const PathSpec& path) {
  return Json{{"name", path.name},
              {"engine", name(path.engine)},
              {"summary", path.summary},
              {"clears_path_variables", path.clears_path_variables},
              {"set", object_of(path.set)},
              {"unset", path.unset},
              {"must", object_of(path.must)},
              {"is_preset", path.is_preset}};
}

/// null for a rank without a GPU (the mpi engine).
Json gpu_json(const GpuInfo& gpu) {
  if (gpu.name.empty()) {
    return nullptr;
  }
  return Json{{"device", gpu.device},
              {"name", gpu.name},
              {"uuid", gpu.uuid},
              {"bus_id", gpu.bus_id},
              {"memory_bytes", gpu.memory_bytes}};
}

Json peer_access_json(const std::optional<PeerAccess>& access) {
  if (!access) {
    return nullptr;
  }
  return Json{{"bus_ids", access->bus_ids}, {"rows", access->rows}};
}

Json rank_json(const RankInfo& rank) {
  return Json{{"rank", rank.rank},
              {"local_rank", rank.local_rank},
              {"host", rank.host},
              {"boot_id", rank.boot_id},
              {"pid", rank.pid},
              {"launcher_cpus", rank.launcher_cpus},
              {"worker_cpus", rank.worker_cpus},
              {"numa_node", rank.numa_node},
              {"node_cpus", text_or_null(rank.node_cpus)},
              {"nearest_nic", text_or_null(rank.nearest_nic)},
              {"cuda_visible_devices", rank.cuda_visible_devices},
              {"gpu", gpu_json(rank.gpu)},
              {"peer_access", peer_access_json(rank.peer_access)}};
}

/// Ranks of one host stand in full; those of the others are like the one of their place there.
bool is_rank_of_another_host(const Json& full, const Json& entry) {
  return full.at("host") != entry.at("host") && full.at("local_rank") == entry.at("local_rank");
}

bool is_any_host(const Json&, const Json&) {
  return true;
}

template <typename T, typename Write>
Json list_of(const std::vector<T>& values, Write write) {
  Json list = Json::array();
  for (const T& value : values) {
    list.push_back(write(value));
  }
  return list;
}

PathSpec path_from(const JsonFields& fields) {
  PathSpec path;
  path.name = fields.text("name");
  path.engine = engine_field(fields);
  path.summary = fields.text("summary");
  path.clears_path_variables = fields.flag("clears_path_variables");
  path.set = fields.text_map("set");
  path.unset = fields.texts("unset");
  path.must = fields.text_map("must");
  path.is_preset = fields.flag("is_preset");
  return path;
}

GpuInfo gpu_from(const JsonFields& fields) {
  GpuInfo gpu;
  gpu.device = fields.integer("device");
  gpu.name = fields.text("name");
  gpu.uuid = fields.text("uuid");
  gpu.bus_id = fields.text("bus_id");
  gpu.memory_bytes = fields.count("memory_bytes");
  return gpu;
}

RankInfo rank_from(const JsonFields& fields) {
  RankInfo rank;
  rank.rank = fields.integer("rank");
  rank.local_rank = fields.integer("local_rank");
  rank.host = fields.text("host");
  rank.boot_id = fields.text("boot_id");
  rank.pid = fields.integer("pid");
  rank.launcher_cpus = fields.text("launcher_cpus");
  rank.worker_cpus = fields.text("worker_cpus");
  rank.numa_node = fields.integer("numa_node");
  rank.cuda_visible_devices = fields.text("cuda_visible_devices");
  if (fields.has("node_cpus")) {
    rank.node_cpus = fields.text_or_empty("node_cpus");
  }
  if (fields.has("nearest_nic")) {
    rank.nearest_nic = fields.text_or_empty("nearest_nic");
  }
  if (!fields.is_null("gpu")) {
    rank.gpu = gpu_from(fields.object("gpu"));
  }
  if (fields.has("peer_access") && !fields.is_null("peer_access")) {
    const JsonFields access = fields.object("peer_access");
    rank.peer_access = PeerAccess{access.texts("bus_ids"), access.texts("rows")};
  }
  return rank;
}

template <typename Read>
auto all_of(const std::vector<JsonFields>& objects, Read read) {
  std::vector<decltype(read(objects.front()))> all;
  for (const JsonFields& object : objects) {
    all.push_back(read(object));
  }
  return all;
}

Json in_full(Json json) {
  for (const char* key : {"rank_info", "hosts"}) {
    if (json.is_object() && json.contains(key) && json.at(key).is_array()) {
      json[key] = unfolded(json.at(key), key);
    }
  }
  return json;
}

void read_versions(Manifest& manifest, const JsonFields& fields) {
  manifest.mpi_library = fields.text("mpi_library");
  manifest.nccl_built = fields.integer("nccl_built");
  manifest.nccl_running = fields.integer("nccl_running");
  manifest.cuda_driver = fields.integer("cuda_driver");
  manifest.cuda_runtime = fields.integer("cuda_runtime");
}

}  // namespace

nlohmann::json to_json(const Manifest& m) {
  Json json{
      {"record", "manifest"},
      {"schema_version", m.schema_version},
      {"viaduct_version", m.viaduct_version},
      {"started_at", m.started_at},
      {"command_line", m.command_line},
      {"plan", m.plan},
      {"engine", name(m.engine)},
      {"ranks", m.ranks},
      {"group", m.group},
      {"lanes", m.lanes},
      {"method", m.method},
      {"seed", m.seed},
      {"mpi_library", m.mpi_library},
      {"nccl_built", m.nccl_built},
      {"nccl_running", m.nccl_running},
      {"cuda_driver", m.cuda_driver},
      {"cuda_runtime", m.cuda_runtime},
      {"lanes_open_s", m.lanes_open_s},
      {"paths", list_of(m.paths, path_json)},
      {"rank_info", folded(list_of(m.rank_info, rank_json), is_rank_of_another_host)},
      {"hosts",
       folded(list_of(m.hosts, [](const HostInfo& host) { return to_json(host); }), is_any_host)},
      {"topologies", list_of(m.topologies, folded_topology_json)},
      {"warnings", m.warnings}};
  if (!m.not_known.empty()) {
    json["not_known"] = m.not_known;
  }
  return json;
}

Manifest manifest_from_json(const nlohmann::json& json) {
  const Json whole = in_full(json);
  const JsonFields fields(whole, "manifest");
  Manifest m;
  m.schema_version = fields.integer("schema_version");
  m.viaduct_version = fields.text("viaduct_version");
  m.started_at = fields.text("started_at");
  m.command_line = fields.texts("command_line");
  m.plan = fields.text("plan");
  m.engine = engine_field(fields);
  m.ranks = fields.integer("ranks");
  if (fields.has("group")) {
    m.group = fields.text("group");
  }
  m.lanes = fields.text("lanes");
  m.method = fields.text("method");
  m.seed = fields.count("seed");
  read_versions(m, fields);
  m.lanes_open_s = fields.number("lanes_open_s");
  m.paths = all_of(fields.objects("paths"), path_from);
  m.rank_info = all_of(fields.objects("rank_info"), rank_from);
  m.hosts = all_of(fields.objects("hosts"), host_from_json);
  if (fields.has("topologies")) {  // files from before they were read have none
    m.topologies = all_of(fields.objects("topologies"), folded_topology_from_json);
  }
  m.warnings = fields.texts("warnings");
  if (fields.has("not_known")) {
    m.not_known = fields.texts("not_known");
  }
  return m;
}

Manifest manifest_from_line(std::string_view line) {
  return manifest_from_json(Json::parse(line));
}

}  // namespace viaduct
