#include "app/worker_facts.hpp"

#include <nlohmann/json.hpp>

namespace viaduct {

namespace {

constexpr double gather_s = 60;

}  // namespace

std::vector<WorkerFacts> gather_worker_facts(Control& control,
                                             const std::string& own_host,
                                             const HelloReply& own) {
  const nlohmann::json facts{{"host", own_host},
                             {"uuid", own.gpu_uuid},
                             {"bus_id", own.bus_id},
                             {"nccl", own.nccl_running}};
  std::vector<WorkerFacts> workers;
  for (const std::string& text : control.all_gather(facts.dump(), Deadline::after(gather_s))) {
    const auto json = nlohmann::json::parse(text);
    workers.push_back(WorkerFacts{static_cast<int>(workers.size()),
                                  json.at("host").get<std::string>(),
                                  json.at("uuid").get<std::string>(),
                                  json.at("bus_id").get<std::string>(),
                                  json.at("nccl").get<int>()});
  }
  return workers;
}

}  // namespace viaduct
