#include "app/rank_facts.hpp"

#include "app/build_info.hpp"
#include "paths/environment.hpp"
#include "probe/host.hpp"
#include "report/host_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <unistd.h>

namespace viaduct {
RankFacts read_rank_facts(const RankPlace& place,
                          const NvmlReport& gpus,
                          const Environment& inherited) {
  RankFacts facts;
  facts.info.rank = place.rank;
  facts.info.local_rank = place.local_rank;
  facts.info.host = host_name();
  facts.info.boot_id = boot_id();
  facts.info.pid = static_cast<int>(getpid());
  facts.info.launcher_cpus = current_cpus();
  facts.info.cuda_visible_devices = place.cuda_visible_devices;
  facts.local_size = place.local_size;
  facts.first_of_host = place.first_of_host;
  const LauncherWords words = read_launcher_words(inherited);
  facts.launcher_ranks = words.ranks;
  facts.local_rank_variable = words.local_rank_variable;
  facts.local_rank_said = words.local_rank;
  facts.viaduct_version = version();
  facts.visible_gpus = visible_gpus(gpus, place.cuda_visible_devices);
  // Which physical GPU this rank gets is known only from its worker: the strictest mode of all
  // counts until then.
  for (const NvmlGpu& gpu : visible_gpu_list(gpus, place.cuda_visible_devices)) {
    facts.mig_enabled = facts.mig_enabled || gpu.mig_enabled;
    if (gpu.compute_mode != "default" || facts.compute_mode.empty()) {
      facts.compute_mode = gpu.compute_mode;
    }
    facts.gpu_free_bytes =
        facts.gpu_free_bytes == 0 ? gpu.free_bytes : std::min(facts.gpu_free_bytes, gpu.free_bytes);
  }
  return facts;
}

std::string visible_devices(const Environment& environment) {
  const auto found = environment.find("CUDA_VISIBLE_DEVICES");
  return found == environment.end() ? "(unset)" : found->second;
}

HostInfo read_host_info(const NvmlReport& gpus, const Environment& inherited) {
  HostInfo host = read_host();
  host.driver = gpus.driver;
  host.variables = recorded_variables(inherited);
  host.files = hidden_settings(inherited);
  return host;
}

std::string to_text(const HostInfo& host) {
  return to_json(host).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

HostInfo host_info_from_text(const std::string& text) {
  const nlohmann::json json = nlohmann::json::parse(text);
  return host_from_json(JsonFields(json, "host"));
}

}  // namespace viaduct
