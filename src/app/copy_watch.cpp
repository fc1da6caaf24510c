#include "app/copy_watch.hpp"

#include "app/copy_judgement.hpp"

#include <fmt/format.h>

#include <utility>

namespace viaduct {

namespace {

constexpr double agree_s = 60;

}  // namespace

void CopyWatch::open_gpus(const std::vector<std::string>& bus_ids) {
  std::vector<std::shared_ptr<const NvmlDevice>> gpus;
  for (const std::string& bus_id : bus_ids) {
    gpus.push_back(std::make_shared<NvmlDevice>(bus_id));
    health_readers_.push_back(std::make_unique<HealthReader>(gpus.back()));
  }
  if (!gpus.empty()) {
    meter_ = std::make_unique<WireMeter>(std::move(gpus));
  }
}

void CopyWatch::begin_case() {
  health_before_.clear();
  for (const auto& reader : health_readers_) {
    health_before_.push_back(reader->read());
  }
}

/// Copies stay within the host.
void CopyWatch::start_count() {
  if (meter_) {
    meter_->start(NicShare::not_known);
  }
}

WireBytes CopyWatch::stop_count() {
  return meter_ ? meter_->stop() : WireBytes{};
}

void CopyWatch::end_case() {
  std::string own;
  for (std::size_t gpu = 0; gpu < health_readers_.size(); ++gpu) {
    const std::string change =
        describe(health_change(health_before_.at(gpu), health_readers_[gpu]->read()));
    if (!change.empty()) {
      own += fmt::format(
          "{}rank {} GPU {}: {}", own.empty() ? "" : "; ", control_.rank(), gpu, change);
    }
  }
  health_.clear();
  for (const std::string& text : control_.gather(own, 0, Deadline::after(agree_s))) {
    health_ += (health_.empty() || text.empty() ? "" : "; ") + text;
  }
}

std::optional<CaseEvidence> CopyWatch::evidence(const WatchedCase& watched) {
  std::optional<CaseEvidence> judged = judge_copy(watched, gpus_);
  if (judged) {
    PathEvidence& path = paths_[watched.path.name];
    path.path = watched.path.name;
    add_case(path, *judged);
  }
  return judged;
}

std::optional<PathEvidence> CopyWatch::whole_evidence(const PathSpec& path) {
  const auto found = paths_.find(path.name);
  return found == paths_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace viaduct
