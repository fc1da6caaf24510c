#include "app/copy_watch.hpp"

#include "app/copy_judgement.hpp"

#include <fmt/format.h>

namespace viaduct {

namespace {

constexpr double agree_s = 60;

}  // namespace

void CopyWatch::open_gpus(const std::vector<std::string>& bus_ids) {
  for (const std::string& bus_id : bus_ids) {
    const auto gpu = std::make_shared<const NvmlDevice>(bus_id);
    counters_.push_back(std::make_unique<CounterReader>(gpu));
    health_readers_.push_back(std::make_unique<HealthReader>(gpu));
  }
}

void CopyWatch::begin_case() {
  health_before_.clear();
  for (const auto& reader : health_readers_) {
    health_before_.push_back(reader->read());
  }
}

std::optional<double> CopyWatch::nvlink_sent_bytes() {
  if (counters_.empty()) {
    return std::nullopt;
  }
  double sum = 0;
  for (const auto& reader : counters_) {
    const Counter sent = reader->read().nvlink_tx;
    if (!sent.raw) {
      return std::nullopt;
    }
    sum += static_cast<double>(*sent.raw) * static_cast<double>(sent.unit_bytes);
  }
  return sum;
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
