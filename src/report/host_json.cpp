#include "report/host_json.hpp"

#include "core/error.hpp"
#include "report/json_values.hpp"

namespace viaduct {

namespace {

using Json = nlohmann::json;

Json memlock_json(const std::optional<std::uint64_t>& bytes) {
  return bytes == HostFacts::unlimited ? Json("unlimited") : or_null(bytes);
}

/// A number, "unlimited" or null.
std::optional<std::uint64_t> memlock_from(const JsonFields& fields) {
  constexpr const char* key = "memlock_bytes";
  if (!fields.is_text(key)) {
    return fields.optional_count(key);
  }
  if (const std::string word = fields.text(key); word != "unlimited") {
    throw Error(
        ErrorKind::io,
        "key '" + fields.place(key) + "' must be a whole number, null or unlimited, is " + word);
  }
  return HostFacts::unlimited;
}

HostFacts facts_from(const JsonFields& fields) {
  HostFacts facts;
  facts.shm_bytes = fields.optional_count("shm_bytes");
  facts.shm_free_bytes = fields.optional_count("shm_free_bytes");
  facts.memlock_bytes = memlock_from(fields);
  facts.cgroup_cpus = fields.text_or_empty("cgroup_cpus");
  facts.acs = fields.optional_flag("acs");
  facts.iommu = fields.optional_flag("iommu");
  facts.iommu_options = fields.text("iommu_options");
  facts.peermem = fields.optional_flag("peermem");
  facts.dma_buf = fields.optional_flag("dma_buf");
  return facts;
}

}  // namespace

nlohmann::json to_json(const HostInfo& host) {
  const HostFacts& facts = host.facts;
  return Json{{"host", host.host},
              {"kernel", host.kernel},
              {"driver", host.driver},
              {"memory_bytes", host.memory_bytes},
              {"cpus", host.cpus},
              {"shm_bytes", or_null(facts.shm_bytes)},
              {"shm_free_bytes", or_null(facts.shm_free_bytes)},
              {"memlock_bytes", memlock_json(facts.memlock_bytes)},
              {"cgroup_cpus", text_or_null(facts.cgroup_cpus)},
              {"acs", or_null(facts.acs)},
              {"iommu", or_null(facts.iommu)},
              {"iommu_options", facts.iommu_options},
              {"peermem", or_null(facts.peermem)},
              {"dma_buf", or_null(facts.dma_buf)},
              {"variables", object_of(host.variables)},
              {"files", object_of(host.files)}};
}

HostInfo host_from_json(const JsonFields& fields) {
  HostInfo host;
  host.host = fields.text("host");
  host.kernel = fields.text("kernel");
  host.driver = fields.text("driver");
  host.memory_bytes = fields.count("memory_bytes");
  host.cpus = fields.integer("cpus");
  host.facts = facts_from(fields);
  host.variables = fields.text_map("variables");
  host.files = fields.text_map("files");
  return host;
}

}  // namespace viaduct
